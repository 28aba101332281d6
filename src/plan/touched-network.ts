import { byCodeUnit, sortedUnique } from '../base/core/collections.ts';
import { breaksFlows } from './blast-radius.ts';
import type { Change } from './change.ts';
import type { Action } from './difference.ts';
import { type LinkState, pairOf } from './network-state.ts';
import type { Plan } from './plan-changes.ts';

/** The part of a network that a plan changes, with its neighbours, for a picture of the plan. */
interface TouchedNetwork {
  /** Clusters in order of name. */
  readonly clusters: readonly TouchedCluster[];
  /** Links in order of pair; both ends are among the clusters. */
  readonly links: readonly TouchedLink[];
}

export interface TouchedCluster extends Touch {
  readonly name: string;
  /** The former name when the plan renames the cluster. */
  readonly formerName: string | null;
  readonly release: string | null;
  readonly podCIDRs: readonly string[];
}

export interface TouchedLink extends Touch {
  /** The link after the change, or before it when it is removed. */
  readonly link: LinkState;
  /** `null` for a new link. */
  readonly before: LinkState | null;
  /** The end of a hub link that is the hub; `null` for other links. */
  readonly hub: string | null;
}

interface Touch {
  /** The action; `null` for a neighbour. */
  readonly action: Action | null;
  /** True when the change breaks live flows. */
  readonly breaks: boolean;
}

export function touchedNetwork(plan: Plan): TouchedNetwork {
  const { before, after } = plan.networks;
  const clusters = new Map<string, Touch>();
  const links = new Map<string, Touch>();
  for (const change of plan.changes) {
    const link = linkOf(change);
    const isThere = link !== null && (before.links.has(link) || after.links.has(link));
    if (isThere) links.set(link, worse(links.get(link), touchOf(change, LINK_ACTIONS[change.kind])));
    else if (!change.isConsequence) {
      const [cluster] = change.subject.clusters;
      if (cluster !== undefined)
        clusters.set(cluster, worse(clusters.get(cluster), touchOf(change, CLUSTER_ACTIONS[change.kind])));
    }
  }
  const shown = [...links.keys(), ...linksAround(plan, clusters, links)].sort(byCodeUnit);
  const touched = shown.flatMap((pair): readonly TouchedLink[] => {
    const [was, is] = [before.links.get(pair), after.links.get(pair)];
    const link = is ?? was;
    return link === undefined
      ? []
      : [{ link, before: was ?? null, hub: hubOf(link, plan), ...(links.get(pair) ?? NEIGHBOUR) }];
  });
  const names = sortedUnique([...clusters.keys(), ...touched.flatMap((it) => it.link.ends)]);
  const renames = plan.changes.flatMap((it) => (it.kind === 'cluster-renamed' ? [[it.cluster, it.from] as const] : []));
  const formerNames = new Map(renames);
  return {
    clusters: names.map((it) => ({
      ...clusterOf(it, plan, clusters.get(it) ?? NEIGHBOUR),
      formerName: formerNames.get(it) ?? null,
    })),
    links: touched,
  };
}

const NEIGHBOUR: Touch = { action: null, breaks: false };

/** The kinds that add or remove their subject; all others change it. */
const LINK_ACTIONS: Partial<Record<Change['kind'], Action>> = { 'link-added': 'add', 'link-removed': 'remove' };
const CLUSTER_ACTIONS: Partial<Record<Change['kind'], Action>> = {
  'cluster-added': 'add',
  'cluster-returned': 'add',
  'cluster-removed': 'remove',
  'cluster-retired': 'remove',
};

const touchOf = (change: Change, action: Action = 'change'): Touch => ({ action, breaks: breaksFlows(change) });

/** Merges two touches: added or removed takes precedence over changed. */
const worse = (a: Touch | undefined, b: Touch): Touch => ({
  action: a === undefined || a.action === 'change' ? b.action : a.action,
  breaks: a?.breaks === true || b.breaks,
});

/** The pair whose link, or one end of it, a change is about. */
function linkOf(change: Change): string | null {
  if (change.subject.link !== null) return pairOf(...change.subject.link);
  return 'peer' in change ? pairOf(change.cluster, change.peer) : null;
}

/** The links of clusters that change without any of their links, which locate these clusters in the fleet. */
function linksAround(
  { networks: { before, after } }: Plan,
  clusters: ReadonlyMap<string, Touch>,
  links: ReadonlyMap<string, Touch>,
): readonly string[] {
  const all = new Map([...before.links, ...after.links]);
  const seen = new Set([...links.keys()].flatMap((it) => all.get(it)?.ends ?? []));
  const alone = new Set([...clusters.keys()].filter((it) => !seen.has(it)));
  return [...all.values()].filter((it) => it.ends.some((end) => alone.has(end))).map((it) => it.pair);
}

/** The hub of a hub link. No file contains it; without a topology it is the end that listens. */
function hubOf({ kind, ends, server }: LinkState, { networks }: Plan): string | null {
  if (kind !== 'hub') return null;
  const [a, b] = ends;
  for (const { hubs } of networks.known) {
    if (hubs.get(a)?.includes(b)) return b;
    if (hubs.get(b)?.includes(a)) return a;
  }
  return server;
}

function clusterOf(
  name: string,
  { networks: { before, after, known } }: Plan,
  touch: Touch,
): Omit<TouchedCluster, 'formerName'> {
  // A retired cluster has no networks any more.
  const [is = [], was = []] = [after, before].map((it) => it.clusters.get(name)?.own.pod);
  const release = known.map((it) => it.releases.get(name)).find((it) => it !== undefined);
  return { name, release: release ?? null, podCIDRs: is.length > 0 ? is : was, ...touch };
}
