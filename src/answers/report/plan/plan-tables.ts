import { groupBy } from '../../../base/core/collections.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, firstLines, shortened, someOf } from '../../../base/core/words.ts';
import { CODES } from '../../../base/diagnostics/codes.ts';
import { blastRadius, countBrokenPairs, EFFECTS } from '../../../plan/blast-radius.ts';
import { countChanges } from '../../../plan/change.ts';
import type { StepTime } from '../../../plan/change-kind.ts';
import type { Action } from '../../../plan/difference.ts';
import type { FlowEffect } from '../../../plan/flows.ts';
import type { AddedAcceptance, HistoryView, Plan, PlannedAcceptances } from '../../../plan/plan-changes.ts';
import { folderOf } from '../../../plan/plan-file.ts';
import { deletedNamespaces } from '../../../plan/removal-guard.ts';
import { printCounts } from '../diagnostics-document.ts';

/** Clusters that a plan affects in the same way. */
export interface BlastGroup {
  readonly clusters: readonly string[];
  readonly breaks: number;
  /** For each effect, the clusters whose traffic with these is affected, in words; empty when there are none. */
  readonly traffic: Readonly<Record<FlowEffect, string>>;
}

/** The blast radius, similar clusters grouped, most affected first; `most` names are listed, the rest is counted. */
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
  /** The counts of added, changed and removed files: `+3 ~1 -2`. */
  readonly counts: string;
}

/** Counts different files by their folders; folders with the same counts are grouped. */
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

/** Explanations of folder names that are not self-explanatory; empty when no changed file is in such a folder. */
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

export const SIGNS: Readonly<Record<Action, string>> = { add: '+', change: '~', remove: '-' };

export const EFFECT_WORDS: Readonly<Record<FlowEffect, string>> = {
  stops: 'stops',
  interrupted: 'is interrupted',
  readdressed: 'gets other addresses',
  rerouted: 'is rerouted',
  opens: 'becomes possible',
};

export const WHEN_WORDS: Readonly<Record<StepTime, string>> = {
  before: 'before merging',
  together: 'while it is applied',
  after: 'afterwards',
};

/** The summary line: `Plan: 3 to add, 1 to change, 0 to remove; live flows break between 2 pairs of clusters.` */
export function planLine(plan: Plan): string {
  if (plan.changes.length === 0) return 'Plan: nothing to do.';
  const { add, change, remove, disruptive, trust } = countChanges(plan.changes);
  const deleted = deletedNamespaces(plan.changes).length;
  const loss = deleted === 0 ? '' : `${countOf(deleted, 'namespace')} deleted with all volumes; `;
  const trusted = trust === 0 ? '' : 'who is trusted changes; ';
  const flows = verdict(countBrokenPairs(plan), disruptive);
  return `Plan: ${add} to add, ${change} to change, ${remove} to remove; ${loss}${trusted}${flows}.`;
}

function verdict(pairs: number, disruptive: number): string {
  if (pairs > 0) return `live flows break between ${countOf(pairs, 'pair')} of clusters`;
  if (disruptive === 0) return 'no live flow breaks';
  return `no live flow breaks, but ${countOf(disruptive, 'change')} ${disruptive === 1 ? 'needs' : 'need'} care`;
}

/** The length to which a plan shortens a reason; the topology contains all of it. */
const LONGEST_REASON = 200;

/** Words for an acceptance: `ipam/block-tight in rome (1 warning): rome offloads two pods`. */
export function describeAcceptance({ code, clusters, reason, count }: AddedAcceptance): string {
  const [one, other] = clusters;
  const where = one === undefined ? 'in the whole fleet' : other === undefined ? `in ${one}` : `on ${one}/${other}`;
  const what = count === 0 ? 'nothing by itself' : countOf(count, CODES[code]);
  return `${code} ${where} (${what}): ${shortened(reason, LONGEST_REASON)}`;
}

/** The number of accepted diagnostics: `2 warnings, 1 note accepted in all`; empty when nothing is accepted. */
export function acceptedWords({ warnings, notes }: PlannedAcceptances): readonly string[] {
  const counts = printCounts({ errors: 0, warnings, notes });
  return counts === '' ? [] : [`${counts} accepted in all`];
}

/** A note that assertions could not be compared; empty when they were. */
export const unreadAssertions = ({ assertions }: Plan): readonly string[] =>
  assertions === 'unreadable'
    ? ['The base has no topology that can be read, so assertions that are gone or weaker are not in this plan.']
    : [];

export interface Preflight {
  /** The clusters that were read, sorted by name. */
  readonly looked: readonly string[];
  /** The other clusters of the topology, which are as in the bundles on disk. */
  readonly others: readonly string[];
  /** Keys that git does not know, so that nothing is compared with them: of gateways, and with `null` of consumers. */
  readonly unknownKeys: readonly { readonly cluster: string; readonly peer: string | null }[];
  /** Kinds that were not read although bundles have objects of them, which count as being as compiled. */
  readonly unread: readonly { readonly cluster: string; readonly kinds: readonly string[] }[];
  /** Sentences of drift about objects that differ although no change of the network explains it. */
  readonly unexplained: readonly string[];
}

const NAMED = 6;

/** Names the sources of a plan from live clusters, and the parts that it does not cover. */
export function preflightLine({ looked, others, unknownKeys, unread, unexplained }: Preflight): string {
  const rest = others.length === 0 ? '' : `; as in their bundles: ${someOf(others, NAMED)}`;
  const names = unknownKeys.map(({ cluster, peer }) =>
    peer === null ? `${cluster} as a consumer` : `${cluster} towards ${peer}`,
  );
  const keys =
    names.length === 0
      ? ''
      : `\nNot compared: ${countOf(names.length, 'key')} that git does not know, ${someOf(names, NAMED)}.`;
  const kinds = unread.map((it) => `\nNot read in ${it.cluster}, so as compiled here: ${someOf(it.kinds, NAMED)}.`);
  const objects = firstLines(unexplained, NAMED, (left) => `... and ${left} more; "weft drift" shows all`);
  const lines = [`From what is live in ${someOf(looked, NAMED)}${rest}.${keys}${kinds.join('')}`, ...objects];
  return lines.join('\n').split('\n').map(visibleText).join('\n');
}
