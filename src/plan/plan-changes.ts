import type { Change, Difference } from './change.ts';
import { compareNetworks, sameTexts } from './compare-networks.ts';
import { claimsOf, type FileChange, shortcutPairs } from './explain-files.ts';
import { findRenames, type Rename, renamed } from './find-renames.ts';
import { type JudgeContext, judgeDifference } from './judge-difference.ts';
import type { NetworkState } from './network-state.ts';
import type { PlanState } from './plan-state.ts';
import { reachabilityOf } from './reachability.ts';

export interface Plan {
  /** Name of the fleet as it will be. */
  readonly fleet: string;
  /** In a fixed order: the fleet, clusters by name, links by name, then what lies in them. */
  readonly changes: readonly Change[];
  /** By path. */
  readonly files: readonly ExplainedFile[];
  /** The lock's text before and after; equal when it stays. */
  readonly lock: { readonly before: string | null; readonly after: string | null };
  readonly size: { readonly before: NetworkSize; readonly after: NetworkSize };
  /** Views that a rebuild of their cluster would not give again. */
  readonly history: readonly HistoryView[];
}

export interface ExplainedFile extends FileChange {
  /** Ids of the changes that reach into it; never empty. */
  readonly explainedBy: readonly string[];
}

/** Retired clusters do not count. */
export interface NetworkSize {
  readonly clusters: number;
  readonly links: number;
}

export interface HistoryView {
  readonly cluster: string;
  readonly peer: string;
  readonly cidr: string;
  readonly seenAs: string;
}

/** What becomes of a fleet: pure, and empty for two equal states. */
export function planChanges(before: PlanState, after: PlanState): Plan {
  const renames = findRenames(before.network, after.network);
  const was = renamed(before.network, renames);
  const network = [
    ...renames.map((it) => renameDifference(it, after.network)),
    ...releaseDifferences(before, after, renames),
    ...compareNetworks(was, after.network),
  ];
  const files = changedFiles(before.files, after.files);
  const shortcuts = shortcutPairs(was, after.network);
  const templates = templateDifferences(files, network);
  const known = [...network, ...templates];
  const differences = [...known, ...restOf(files, known, shortcuts), ...lockDifference(before, after, files)];
  const context: JudgeContext = {
    before: was,
    after: after.network,
    was: reachabilityOf(was, before.known?.hubs ?? after.known?.hubs ?? null),
    is: reachabilityOf(after.network, after.known?.hubs ?? null),
    replacesChangedNetworks: (cluster) =>
      (was.clusters.get(cluster) ?? after.network.clusters.get(cluster))?.replacesChangedNetworks ?? true,
  };
  const changes = differences.map((it) => judgeDifference(it, context));
  const explain = claimsOf(changes, shortcuts);
  return {
    fleet: after.network.fleet.name ?? before.network.fleet.name ?? '',
    changes,
    files: files.map((it) => ({ ...it, explainedBy: explain(it.path).map((change) => change.id) })),
    lock: { before: before.lock, after: after.lock },
    size: { before: sizeOf(before.network), after: sizeOf(after.network) },
    history: historyOf(after.network),
  };
}

/** True when there is nothing to do. */
export const isEmptyPlan = ({ changes, files }: Plan): boolean => changes.length === 0 && files.length === 0;

function renameDifference({ from, to }: Rename, network: NetworkState): Difference {
  return { kind: 'cluster-renamed', cluster: to, from, peers: network.clusters.get(to)?.peers ?? [] };
}

/** The release stands in no file. Where no topology says it, the files still tell whether it is at least 1.2. */
function* releaseDifferences(before: PlanState, after: PlanState, renames: readonly Rename[]): Iterable<Difference> {
  const oldNames = new Map(renames.map((it) => [it.to, it.from]));
  for (const [cluster, is] of after.network.clusters) {
    const oldName = oldNames.get(cluster) ?? cluster;
    const was = before.network.clusters.get(oldName);
    if (!was || was.retired || is.retired) continue;
    const [oldVersion, version] = [before.known?.releases.get(oldName), after.known?.releases.get(cluster)];
    const sameLine = was.replacesChangedNetworks === is.replacesChangedNetworks;
    const to = version ?? lineOf(is.replacesChangedNetworks);
    const from =
      oldVersion !== undefined && version !== undefined
        ? oldVersion
        : sameLine
          ? to
          : lineOf(was.replacesChangedNetworks);
    if (from !== to) yield { kind: 'release-changed', cluster, from, to };
  }
}

/** Liqo replaces changed Networks since 1.2. */
const lineOf = (replacesChangedNetworks: boolean): string => (replacesChangedNetworks ? '1.2' : 'before 1.2');

function changedFiles(before: PlanState['files'], after: PlanState['files']): readonly FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return paths.flatMap((path): readonly FileChange[] => {
    const [was, is] = [before.get(path) ?? null, after.get(path) ?? null];
    if (was === is) return [];
    return [{ path, change: was === null ? 'add' : is === null ? 'remove' : 'change', before: was, after: is }];
  });
}

/** A template's own text: whoever else changed in the cluster, its gateways follow what it says. */
function templateDifferences(files: readonly FileChange[], network: readonly Difference[]): readonly Difference[] {
  const whole = new Set(
    network.flatMap((it) =>
      it.kind === 'cluster-added' ||
      it.kind === 'cluster-removed' ||
      it.kind === 'cluster-retired' ||
      it.kind === 'cluster-returned'
        ? [it.cluster]
        : it.kind === 'cluster-renamed'
          ? [it.cluster, it.from]
          : [],
    ),
  );
  const found = files.filter(
    (it) => it.path.split('/')[1] === 'gateway-templates' && !whole.has(it.path.split('/')[0] ?? ''),
  );
  const manifests = found.filter((it) => !it.path.endsWith('/kustomization.yaml'));
  return groups(manifests).map(({ top, action, paths }) => ({ kind: 'template-edited', cluster: top, action, paths }));
}

/** What the network does not explain: entry points by tool, other files by folder. */
function restOf(
  files: readonly FileChange[],
  known: readonly Difference[],
  shortcuts: ReadonlySet<string>,
): readonly Difference[] {
  const explain = claimsOf(known, shortcuts);
  const rest = files.filter((it) => explain(it.path).length === 0);
  return groups(rest, entryPointOrTop).map(({ top, action, paths }): Difference => {
    if (top === '_argocd') return { kind: 'gitops-changed', tool: 'Argo CD', action, paths };
    if (top === '_flux') return { kind: 'gitops-changed', tool: 'Flux', action, paths };
    return { kind: 'files-changed', cluster: top.includes('.') ? null : top, paths };
  });
}

const topOf = (path: string): string => path.split('/')[0] ?? '';

/** The folder that Flux applies first is in a cluster's bundle and is an entry point all the same. */
const entryPointOrTop = (path: string): string => (path.split('/')[1] === 'unordered' ? '_flux' : topOf(path));

interface Group {
  readonly top: string;
  readonly action: FileChange['change'];
  readonly paths: readonly string[];
}

/** Files of one folder together; what is only added or only removed there is said so. */
function groups(files: readonly FileChange[], nameOf = topOf): readonly Group[] {
  const byTop = new Map<string, FileChange[]>();
  for (const it of files) {
    const top = nameOf(it.path);
    byTop.set(top, [...(byTop.get(top) ?? []), it]);
  }
  return [...byTop].map(([top, list]) => {
    const actions = [...new Set(list.map((it) => it.change))];
    const [first = 'change'] = actions;
    return { top, action: actions.length === 1 ? first : 'change', paths: list.map((it) => it.path) };
  });
}

/** A lock that changes alone: otherwise it follows what is told already. */
function lockDifference(before: PlanState, after: PlanState, files: readonly FileChange[]): readonly Difference[] {
  const [was, is] = [linesOf(before.lock), linesOf(after.lock)];
  if (files.length > 0 || sameTexts([...was].sort(), [...is].sort())) return [];
  const added = [...is].filter((it) => !was.has(it)).length;
  const removed = [...was].filter((it) => !is.has(it)).length;
  return [{ kind: 'lock-changed', added, removed }];
}

const linesOf = (lock: string | null): ReadonlySet<string> =>
  new Set((lock ?? '').split('\n').filter((it) => it.startsWith('  ')));

function sizeOf({ clusters, links }: NetworkState): NetworkSize {
  return { clusters: [...clusters.values()].filter((it) => !it.retired).length, links: links.size };
}

function historyOf({ links }: NetworkState): readonly HistoryView[] {
  const sides = [...links.values()].flatMap((it) => [...it.sides.values()]);
  const views = sides.flatMap(({ cluster, peer, views: all }) =>
    all.filter((it) => it.history).map(({ cidr, seenAs }) => ({ cluster, peer, cidr, seenAs })),
  );
  return views.sort((a, b) => (a.cluster < b.cluster ? -1 : a.cluster > b.cluster ? 1 : 0));
}
