import { isKustomization } from '../core/bundle-path.ts';
import { groupBy } from '../core/group-by.ts';
import type { Action, Difference } from './difference.ts';
import { claimsOf } from './explain-files.ts';
import type { NetworkState } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';
import { type FileChange, isPart, type PlanFile, planFile } from './plan-file.ts';

/**
 * Differences that only files show: edited templates and alerts, then files that no other difference explains.
 *
 * @param network the differences between the networks
 * @param before the network before the change, with its old cluster names
 */
export function differencesOfFiles(
  files: readonly FileChange[],
  network: readonly Difference[],
  before: NetworkState,
  context: PlanContext,
): readonly Difference[] {
  const changed = files.map((it): ChangedFile => ({ ...planFile(it.path), ...it }));
  const ofParts = differencesOfParts(changed, before, context.after);
  const explain = claimsOf([...network, ...ofParts], context);
  const open = changed.filter((it) => explain(it).length === 0);
  const [layout, content] = [open.filter((it) => it.onlyLayout), open.filter((it) => !it.onlyLayout)];
  return [...ofParts, ...layoutChanges(layout), ...unexplained(content)];
}

type ChangedFile = PlanFile & FileChange;

/**
 * Edited templates, and alerts, in clusters that stay as they are. The edit of a template reaches all gateways made from it;
 * alerts can be a list alone, in a cluster without peers.
 */
function differencesOfParts(files: readonly ChangedFile[], before: NetworkState, after: NetworkState) {
  const stays = (cluster: string): boolean => {
    const [was, is] = [before.clusters.get(cluster), after.clusters.get(cluster)];
    return was !== undefined && is !== undefined && was.retired === is.retired;
  };
  const byCluster = (isMeant: (it: ChangedFile) => boolean) => {
    const meant = files.filter((it) => isMeant(it) && it.cluster !== null && stays(it.cluster));
    return [...groupBy(meant, (it) => [it.cluster ?? ''])].map(([cluster, list]) => ({
      cluster,
      action: actionOf(list),
      paths: pathsOf(list),
    }));
  };
  const isTemplate = (it: ChangedFile): boolean =>
    isPart(it, 'gateway-templates') && it.place !== null && !isKustomization(it.place) && !it.onlyLayout;
  const isAlerts = (it: ChangedFile): boolean => isPart(it, 'monitoring') && !it.onlyLayout;
  return [
    ...byCluster(isTemplate).map((it): Difference => ({ kind: 'template-edited', ...it })),
    ...byCluster(isAlerts).map((it): Difference => ({ kind: 'alerts-changed', ...it })),
  ];
}

const layoutChanges = (files: readonly ChangedFile[]): readonly Difference[] =>
  [...groupBy(files, (it) => [it.cluster ?? ''])].map(([cluster, list]) => ({
    kind: 'layout-changed',
    cluster: cluster === '' ? null : cluster,
    paths: pathsOf(list),
  }));

/** Files that the network does not explain: entry points by tool, other files by folder. */
function unexplained(files: readonly ChangedFile[]): readonly Difference[] {
  return [...groupBy(files, (it) => [ownerOf(it)]).values()].map((list): Difference => {
    const [first] = list;
    const [tool, paths] = [first === undefined ? null : toolOf(first), pathsOf(list)];
    return tool === null
      ? { kind: 'files-changed', cluster: first?.cluster ?? null, paths }
      : { kind: 'gitops-changed', tool, action: actionOf(list), paths };
  });
}

const ownerOf = (it: ChangedFile): string => toolOf(it) ?? it.cluster ?? '';

/** Flux alone applies `unordered/`: it is in the folder of a cluster and is an entry point all the same. */
function toolOf(file: ChangedFile): 'Argo CD' | 'Flux' | null {
  if (isPart(file, 'argocd')) return 'Argo CD';
  return isPart(file, 'flux', 'flux-source', 'flux-cluster', 'unordered') ? 'Flux' : null;
}

/** Files that are only added, or only removed. */
function actionOf(files: readonly ChangedFile[]): Action {
  const [first = 'change', ...others] = new Set(files.map((it) => it.change));
  return others.length === 0 ? first : 'change';
}

const pathsOf = (files: readonly ChangedFile[]): readonly string[] => files.map((it) => it.path);
