import { groupBy, sortedUnique } from '../base/core/collections.ts';
import { kindOf } from './changes/change-kinds.ts';
import { boundaryDifferences } from './compare-boundaries.ts';
import { shownSource, TOOLS } from './compare-delivery.ts';
import type { Action, Difference, ValueChange } from './difference.ts';
import { type NetworkState, pairOf } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';
import {
  type FileChange,
  type FileClaim,
  isEntryPoint,
  isPart,
  isProber,
  isTemplate,
  type PlanFile,
  planFile,
} from './plan-file.ts';

/**
 * Differences that are visible only in files: edited templates, alerts and probers, then files that no other difference
 * explains.
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
  const changed = files.map((it): ExplainableFile => ({ ...planFile(it.path), ...it }));
  const ofParts = [
    ...differencesOfParts(changed, before, context.after),
    ...differencesOfTools(changed, before, context),
  ];
  const explain = claimsOf([...network, ...ofParts], context);
  const open = changed.filter((it) => explain(it).length === 0);
  const layout = open.filter((it) => it.onlyLayout);
  const annotated = open.filter((it) => it.onlyToolAnnotations);
  const content = open.filter((it) => !it.onlyLayout && !it.onlyToolAnnotations);
  return [
    ...ofParts,
    ...byCluster('layout-changed', layout),
    ...byCluster('annotations-changed', annotated),
    ...unexplained(content),
    ...changedEntryPoints(changed, content, before, context),
  ];
}

type ExplainableFile = PlanFile & FileChange;

/**
 * Edited templates, alerts, probers and policies in clusters that otherwise stay the same. The edit of a template affects all gateways
 * made from it; in a cluster without peers, the alerts may be only a kustomization.
 */
function differencesOfParts(files: readonly ExplainableFile[], before: NetworkState, after: NetworkState) {
  const stays = (cluster: string): boolean => {
    const [was, is] = [before.clusters.get(cluster), after.clusters.get(cluster)];
    return was !== undefined && is !== undefined && was.retired === is.retired;
  };
  const isNew = (cluster: string): boolean =>
    before.clusters.size > 0 && !before.clusters.has(cluster) && after.clusters.get(cluster)?.retired === false;
  const inClusters = (isMeant: (it: ExplainableFile) => boolean) => {
    const meant = files.filter((it) => isMeant(it) && it.cluster !== null && stays(it.cluster));
    return [...groupBy(meant, (it) => [it.cluster ?? ''])].map(([cluster, list]) => ({
      cluster,
      action: actionOf(list),
      paths: pathsOf(list),
      list,
    }));
  };
  const isAlerts = (it: ExplainableFile): boolean => isPart(it, 'monitoring') && !it.onlyLayout;
  return [
    ...inClusters((it) => isTemplate(it) && !it.onlyLayout).map(
      ({ list, ...it }): Difference => ({ kind: 'template-edited', ...it, values: valuesIn(list) }),
    ),
    ...inClusters(isAlerts).map(({ list: _, ...it }): Difference => ({ kind: 'alerts-changed', ...it })),
    ...probersIn(inClusters((it) => isProber(it) && !it.onlyLayout && !it.onlyToolAnnotations)),
    ...boundaryDifferences(
      files.filter((it) => it.cluster !== null && (stays(it.cluster) || isNew(it.cluster))),
      before,
      after,
    ),
  ];
}

interface ClusterFiles {
  readonly cluster: string;
  readonly list: readonly ExplainableFile[];
}

/** The probers come and go together, so one difference is about all of them. */
function probersIn(found: readonly ClusterFiles[]): readonly Difference[] {
  if (found.length === 0) return [];
  const files = found.flatMap((it) => it.list);
  const images = valuesIn(files);
  const imagesOf = (side: 'from' | 'to'): readonly string[] => sortedUnique(images.flatMap((it) => it[side] ?? []));
  const facts = { probed: found.map((it) => it.cluster), action: actionOf(files), paths: pathsOf(files) };
  return [{ kind: 'probers-changed', ...facts, from: imagesOf('from'), to: imagesOf('to') }];
}

/** The changed values, once when several templates contain the same. */
const valuesIn = (files: readonly ExplainableFile[]): readonly ValueChange[] => [
  ...new Map(files.flatMap((it) => it.values ?? []).map((it) => [JSON.stringify(it), it])).values(),
];

const byCluster = (
  kind: 'layout-changed' | 'annotations-changed',
  files: readonly ExplainableFile[],
): readonly Difference[] =>
  [...groupBy(files, (it) => [it.cluster ?? ''])].map(([cluster, list]) => ({
    kind,
    cluster: cluster === '' ? null : cluster,
    paths: pathsOf(list),
  }));

/** Tools that start or stop applying the bundles of a fleet, even when other differences explain their files. */
function differencesOfTools(
  files: readonly ExplainableFile[],
  before: NetworkState,
  { after }: PlanContext,
): readonly Difference[] {
  if (before.clusters.size === 0) return [];
  return TOOLS.flatMap(([key, tool]): readonly Difference[] => {
    const [was, is] = [before.fleet.tools[key], after.fleet.tools[key]];
    if ((was === null) === (is === null)) return [];
    const paths = pathsOf(files.filter((it) => toolOf(it) === tool));
    const source = is ?? was;
    if (source === null) return [];
    const action = is === null ? 'remove' : 'add';
    return [{ kind: 'gitops-changed', tool, action, paths, byHand: [], source: shownSource(source) }];
  });
}

/** Files of a folder that nothing explains, without entry points. */
const unexplained = (files: readonly ExplainableFile[]): readonly Difference[] =>
  [
    ...groupBy(
      files.filter((it) => toolOf(it) === null),
      (it) => [it.cluster ?? ''],
    ).values(),
  ].map((list) => ({ kind: 'files-changed', cluster: list[0]?.cluster ?? null, paths: pathsOf(list) }));

/**
 * Entry points of a tool that stays, even when other differences explain them: until they are applied again, the tool does
 * what the former ones say.
 *
 * @param open the files that no other difference explains
 */
function changedEntryPoints(
  files: readonly ExplainableFile[],
  open: readonly ExplainableFile[],
  before: NetworkState,
  { after }: PlanContext,
): readonly Difference[] {
  return TOOLS.flatMap(([key, tool]): readonly Difference[] => {
    const paths = pathsOf(open.filter((it) => toolOf(it) === tool));
    const [was, is] = [before.fleet.tools[key], after.fleet.tools[key]];
    const stays = was !== null && is !== null;
    const changed = stays ? files.filter((it) => isEntryPoint(it) && toolOf(it) === tool && !it.onlyLayout) : [];
    if (paths.length === 0 && changed.length === 0) return [];
    const byHand = pathsOf(changed.filter((it) => it.change === 'change' && isAppliedByHand(it)));
    return [{ kind: 'gitops-changed', tool, action: 'change', paths, byHand, source: null }];
  });
}

/** True for an entry point that is applied once and is not among those that it applies. */
function isAppliedByHand({ place }: PlanFile): boolean {
  if (place?.part === 'argocd') return place.file === 'application' || place.file === 'argocd-cm-patch';
  if (place?.part === 'flux-source') return place.file === 'gitrepository';
  return (place?.part === 'flux-clusters' || place?.part === 'flux-cluster') && place.file === 'applier';
}

/**
 * The tool that reads an entry point. Only Flux applies `unordered/`, so a file there is an entry point although it is
 * in the folder of a cluster.
 */
function toolOf(file: ExplainableFile): 'Argo CD' | 'Flux' | null {
  if (isPart(file, 'argocd')) return 'Argo CD';
  return isPart(file, 'flux', 'flux-source', 'flux-clusters', 'flux-cluster', 'unordered') ? 'Flux' : null;
}

/** The common action of files that are all added or all removed; otherwise `change`. */
function actionOf(files: readonly ExplainableFile[]): Action {
  const [first = 'change', ...others] = new Set(files.map((it) => it.change));
  return others.length === 0 ? first : 'change';
}

const pathsOf = (files: readonly ExplainableFile[]): readonly string[] => files.map((it) => it.path);

/**
 * The differences that explain a file. Claims are narrow on purpose: a changed file without a claim is reported as
 * such, and a test checks that no edit of a topology leaves such a file.
 */
export function claimsOf<T extends Difference>(
  differences: readonly T[],
  context: PlanContext,
): (file: PlanFile) => readonly T[] {
  const byFolder = new Map<string, Entry<T>[]>();
  // By their `covers`: each of thousands of shortcuts covers the same files, so a file is checked once for all of them.
  const anywhere = new Map<Entry<T>['covers'], Entry<T>[]>();
  for (const [index, it] of differences.entries()) {
    const claims = kindOf(it).explains(it, context);
    // A difference with files outside its own clusters' folders is listed after the others.
    const isLate = claims.some(({ of }) => of === 'all-files') || isOfShortcut(it, context);
    const position = isLate ? differences.length + index : index;
    for (const claim of claims) {
      const entry = { it, position, covers: 'covers' in claim ? claim.covers : coversAll };
      if (claim.of === 'all-files') append(anywhere, entry.covers, entry);
      else append(byFolder, folderOfClaim(claim), entry);
    }
  }
  return (file) => {
    const inFolder = (byFolder.get(claimFolder(file)) ?? []).filter(({ covers }) => covers(file));
    const inAny = [...anywhere].flatMap(([covers, entries]) => (covers(file) ? entries : []));
    const entries = [...inFolder, ...inAny];
    return [...new Set(entries.sort((a, b) => a.position - b.position).map(({ it }) => it))];
  };
}

interface Entry<T> {
  readonly it: T;
  readonly position: number;
  readonly covers: (file: PlanFile) => boolean;
}

const coversAll = (): boolean => true;

function isOfShortcut(it: Difference, { shortcuts }: PlanContext): boolean {
  const [a, b, ...more] = kindOf(it).subject(it).clusters;
  return a !== undefined && b !== undefined && more.length === 0 && shortcuts.has(pairOf(a, b));
}

function append<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

const folderOfClaim = (claim: Exclude<FileClaim, { of: 'all-files' }>): string =>
  claim.of === 'cluster' ? inCluster(claim.cluster) : claim.of;

function claimFolder(file: PlanFile): FileClaim['of'] | string {
  if (file.cluster !== null) return inCluster(file.cluster);
  return isEntryPoint(file) ? 'entry-points' : (file.place?.part ?? '');
}

/** The key of a cluster's folder. No cluster name contains a space, so it differs from the keys of other folders. */
const inCluster = (cluster: string): string => `cluster ${cluster}`;
