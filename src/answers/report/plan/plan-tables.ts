import { groupBy } from '../../../base/core/group-by.ts';
import { someOf } from '../../../base/core/words.ts';
import { blastRadius, EFFECTS } from '../../../plan/blast-radius.ts';
import type { FlowEffect } from '../../../plan/flows.ts';
import type { HistoryView, Plan } from '../../../plan/plan-changes.ts';
import { folderOf } from '../../../plan/plan-file.ts';

/** Clusters that a plan affects in the same way. */
export interface BlastGroup {
  readonly clusters: readonly string[];
  readonly breaks: number;
  /** With whom the traffic suffers, in words; empty when it does not. */
  readonly traffic: Readonly<Record<FlowEffect, string>>;
}

/** The blast radius with similar clusters together, hardest hit first. `most` names are listed before the rest is counted. */
export function blastGroups(plan: Plan, most: number): readonly BlastGroup[] {
  const all = Math.max(plan.size.before.clusters, plan.size.after.clusters) - 1;
  const words = (names: readonly string[]): string =>
    names.length === all && all > most ? `all ${all} other clusters` : someOf(names, most);
  const groups = new Map<string, BlastGroup & { readonly clusters: string[] }>();
  for (const { cluster, breaks, traffic } of blastRadius(plan)) {
    const named = Object.fromEntries(EFFECTS.map((it) => [it, words(traffic[it])])) as BlastGroup['traffic'];
    const key = JSON.stringify([breaks, ...EFFECTS.map((it) => named[it])]);
    const group = groups.get(key);
    if (group) group.clusters.push(cluster);
    else groups.set(key, { clusters: [cluster], breaks, traffic: named });
  }
  return [...groups.values()];
}

interface FolderRow {
  /** Folders with the same counts. */
  readonly folders: readonly string[];
  /** `+3 ~1 -2`. */
  readonly counts: string;
}

/** Files that differ, counted by the folder they lie in; folders with the same counts together. */
export function filesByFolder({ files }: Plan): readonly FolderRow[] {
  const folders = new Map<string, { add: number; change: number; remove: number }>();
  for (const { path, change } of files) {
    const folder = folderOf(path);
    const counts = folders.get(folder) ?? { add: 0, change: 0, remove: 0 };
    counts[change]++;
    folders.set(folder, counts);
  }
  const rows = groupBy([...folders], ([, { add, change, remove }]) => {
    const parts = [add > 0 ? [`+${add}`] : [], change > 0 ? [`~${change}`] : [], remove > 0 ? [`-${remove}`] : []];
    return [parts.flat().join(' ')];
  });
  return [...rows].map(([counts, row]) => ({ folders: row.map(([folder]) => folder), counts }));
}

/** What a folder is that is called in a way which explains nothing; empty where no path lies in it. */
export const folderRemarks = (files: Plan['files']): readonly string[] =>
  files.some((it) => it.path.split('/')[1] === 'unordered')
    ? ['unordered: what Flux applies first; links that depend on an order follow, one by one']
    : [];

interface HistoryRow {
  readonly cluster: string;
  readonly views: readonly HistoryView[];
}

export function historyByCluster({ history }: Plan): readonly HistoryRow[] {
  return [...groupBy(history, (it) => [it.cluster])].map(([cluster, views]) => ({ cluster, views }));
}
