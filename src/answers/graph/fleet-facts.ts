import { groupBy, sortedUnique, valueAt } from '../../base/core/collections.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { isClosedTowards } from '../../fleet/boundaries/bounded-model.ts';
import type { AddressedCluster, AddressedModel, View } from '../../fleet/ipam/addressed-model.ts';
import type { Link, LinkKind } from '../../fleet/model/network-model.ts';
import { type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';
import type { Action } from '../../plan/difference.ts';
import type { LinkState, SideState } from '../../plan/network-state.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { type TouchedCluster, type TouchedLink, touchedNetwork } from '../../plan/touched-network.ts';
import type { ClusterView } from '../../reach/view/cluster-view.ts';

/** The facts that a picture of a fleet can show, before folding. */
export interface FleetFacts {
  /** The clusters, sorted by name. */
  readonly clusters: readonly ClusterFacts[];
  /** The links; both ends of each are in `clusters`. */
  readonly links: readonly LinkFacts[];
}

export interface ClusterFacts {
  readonly name: string;
  /** The version of Liqo; `null` when it is unknown. */
  readonly release: string | null;
  readonly podCIDRs: readonly string[];
  /** The value of the label by which clusters are grouped; `null` without it. */
  readonly group: string | null;
  /** `null` for none. */
  readonly mark: Mark | null;
  /** The name before a plan renames it; `null` otherwise. */
  readonly formerName: string | null;
  /** True when a plan breaks live flows of the whole cluster. */
  readonly breaks: boolean;
  /** Its loans and offloaded namespaces; absent without any, and in a picture of a plan. */
  readonly shares?: ShareFacts;
  /** Its addresses in the view of one cluster; absent in a picture of the whole fleet. */
  readonly seen?: SeenFacts;
}

/** The other clusters and the namespaces, each sorted by name. */
export interface ShareFacts {
  readonly borrowsFrom: readonly string[];
  readonly lendsTo: readonly string[];
  readonly offloads: readonly string[];
}

/** The view of a cluster, which replaces its own pod CIDRs. */
interface SeenFacts {
  readonly lines: readonly string[];
  readonly isRemapped: boolean;
}

export interface LinkFacts {
  readonly kind: LinkKind;
  /** The end that is the hub of the other one; `null` for a peering and a shortcut. */
  readonly hub: string | null;
  readonly server: string;
  /** The end that dials. */
  readonly client: string;
  /** CIDRs that the other end sees as another network; empty when every address is the same at both ends. */
  readonly remaps: readonly Remap[];
  /** The ends into which nothing enters that `boundaries` does not list; absent for an open link. */
  readonly closedTowards?: readonly string[];
  readonly mark: Mark | null;
  readonly breaks: boolean;
}

/** A change by a plan, or a part that is off in a what-if. */
export type Mark = 'added' | 'changed' | 'removed' | 'off';

/** A CIDR of one end of a link that the other end sees as another network. */
export interface Remap {
  readonly of: string;
  /** The cluster that sees the CIDR as `seenAs`. */
  readonly seenIn: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  /** The network before a plan moves it; `null` otherwise. */
  readonly was: string | null;
}

/** The facts of a fleet with lookups by cluster. */
export interface FleetIndex extends FleetFacts {
  /** All different releases in order. */
  readonly releases: readonly string[];
  readonly isHub: (cluster: string) => boolean;
  /** The hubs of a cluster, sorted by name. */
  readonly hubsOf: (cluster: string) => readonly string[];
  readonly linksOf: (cluster: string) => readonly LinkFacts[];
}

export function indexFleet({ clusters, links }: FleetFacts): FleetIndex {
  const byEnd = groupBy(links, (it) => [it.server, it.client]);
  const hubs = new Set(links.flatMap((it) => (it.hub === null ? [] : [it.hub])));
  const linksOf = (cluster: string): readonly LinkFacts[] => byEnd.get(cluster) ?? [];
  return {
    clusters,
    links,
    releases: sortedUnique(clusters.flatMap(({ release }: ClusterFacts) => (release === null ? [] : [release]))),
    isHub: (cluster) => hubs.has(cluster),
    hubsOf: (cluster) =>
      sortedUnique(linksOf(cluster).flatMap((it) => (it.hub === null || it.hub === cluster ? [] : [it.hub]))),
    linksOf,
  };
}

/** The facts of some clusters, their direct neighbours, and the links between all of these. */
export function factsNear({ clusters, links }: FleetFacts, names: readonly string[]): FleetFacts {
  const wanted = new Set(names);
  const near = new Set(
    links
      .filter((it) => wanted.has(it.server) || wanted.has(it.client))
      .flatMap((it) => [it.server, it.client])
      .concat(names),
  );
  return {
    clusters: clusters.filter((it) => near.has(it.name)),
    links: links.filter((it) => near.has(it.server) && near.has(it.client)),
  };
}

/**
 * True when an end of the link sees a network of the other one as another network. Some remaps in the list may only
 * record that a plan moves a view back to the cluster's own network.
 */
export const isRemapped = ({ remaps }: Pick<LinkFacts, 'remaps'>): boolean =>
  remaps.some((it) => it.cidr !== it.seenAs);

/**
 * The facts of a compiled fleet. Retired clusters are left out, because they are no longer in its network.
 *
 * @param label the label by which clusters are grouped; `null` for no groups
 * @param off clusters that are off; links know it themselves
 */
export function factsOfModel(
  model: SharedModel,
  label: string | null,
  off: ReadonlySet<string> = new Set(),
): FleetFacts {
  const clusters = [...model.clusters.values()].filter((it) => !it.retired);
  return {
    clusters: clusters.map((it) => ({
      ...clusterFacts(it, label, sharesOf(model, it.name)),
      mark: off.has(it.name) ? 'off' : null,
    })),
    links: model.links.map((it) => linkFacts(model, it)),
  };
}

/** The facts of a fleet as one of its clusters sees them: the addresses that its pods dial, and its own remaps alone. */
export function factsSeenBy({ clusters, links }: FleetFacts, view: ClusterView): FleetFacts {
  return {
    clusters: clusters.map((it) => ({ ...it, seen: seenFacts(view, it) })),
    links: links.map((it) => ({ ...it, remaps: it.remaps.filter((remap) => remap.seenIn === view.cluster) })),
  };
}

function seenFacts(view: ClusterView, { name, podCIDRs }: ClusterFacts): SeenFacts {
  const own = `pods ${podCIDRs.join(', ')}`;
  if (name === view.cluster) return { lines: [own, 'the view of this cluster'], isRemapped: false };
  const peer = view.peers.find((it) => it.peer === name);
  const seenAs = (peer?.views ?? []).filter((it) => it.kind === 'pod').map((it) => it.seenAs);
  const [through] = view.indirect.find((it) => it.cluster === name)?.through ?? [];
  const isUsable = peer !== undefined && peer.keyless.length === 0;
  if (!isUsable && through !== undefined)
    return {
      lines: [`pods ${through.address}`, `through ${through.hub}`, `there ${podCIDRs.join(', ')}`],
      isRemapped: true,
    };
  if (peer === undefined) return { lines: ['out of reach'], isRemapped: false };
  const isRemapped = seenAs.join() !== podCIDRs.join();
  return {
    lines: [
      `pods ${seenAs.join(', ')}`,
      ...(isRemapped ? [`there ${podCIDRs.join(', ')}`] : []),
      ...(isUsable ? [] : ['the link has no keys']),
    ],
    isRemapped,
  };
}

function sharesOf(model: SharedModel, cluster: string): ShareFacts | undefined {
  const { borrows, lends, offloads } = sharingOf(model, cluster);
  if (borrows.length + lends.length + offloads.length === 0) return undefined;
  return {
    borrowsFrom: borrows.map((it) => it.provider.name),
    lendsTo: lends.map((it) => it.consumer.name),
    offloads: offloads.map((it) => it.namespace),
  };
}

const clusterFacts = (
  cluster: AddressedCluster,
  label: string | null,
  shares: ShareFacts | undefined,
): ClusterFacts => ({
  name: cluster.name,
  release: cluster.release.version,
  podCIDRs: cluster.podCIDRs.map((it) => printPrefix(it.value)),
  group: label === null ? null : (valueAt(cluster.labels, label) ?? null),
  mark: null,
  formerName: null,
  breaks: false,
  ...(shares && { shares }),
});

function linkFacts({ clusters }: AddressedModel, link: Link): LinkFacts {
  const [server, client] = [link.server.cluster.name, link.client.cluster.name];
  const closedTowards = [server, client].filter((it) => isClosed(clusters.get(it), link));
  return {
    ...(closedTowards.length > 0 && { closedTowards }),
    kind: link.kind,
    hub: hubOf(link),
    server,
    client,
    remaps: [...remapsIn(clusters.get(server), client), ...remapsIn(clusters.get(client), server)],
    mark: link.isOff ? 'off' : null,
    breaks: false,
  };
}

const isClosed = (cluster: AddressedCluster | undefined, link: Link): boolean =>
  cluster !== undefined && isClosedTowards({ link }, cluster);

function hubOf({ kind, server, client }: Link): string | null {
  if (kind !== 'hub') return null;
  return client.cluster.hubs.includes(server.cluster.name) ? server.cluster.name : client.cluster.name;
}

/** The remapped networks of a peer, as one cluster sees them. */
function remapsIn(cluster: AddressedCluster | undefined, of: string): readonly Remap[] {
  const peer = cluster?.peers.get(of);
  if (cluster === undefined || peer === undefined) return [];
  const remapsOf = (kind: Remap['kind'], views: readonly View[]): readonly Remap[] =>
    views
      .filter((it) => !samePrefix(it.cidr, it.seenAs))
      .map((it) => ({
        of,
        seenIn: cluster.name,
        kind,
        cidr: printPrefix(it.cidr),
        seenAs: printPrefix(it.seenAs),
        was: null,
      }));
  return [...remapsOf('pod', peer.podViews), ...remapsOf('external', [peer.externalView])];
}

/** Labels by which pictures are grouped by default; the second one is set by cloud providers. */
const USUAL: readonly string[] = ['region', 'topology.kubernetes.io/region'];

/** The first usual label that clusters have; `null` when they have none. */
export const groupingLabel = (labels: readonly string[]): string | null =>
  USUAL.find((it) => labels.includes(it)) ?? null;

const MARKS: Readonly<Record<Action, Exclude<Mark, 'off'>>> = { add: 'added', change: 'changed', remove: 'removed' };

/**
 * The clusters and links that a plan changes, with their neighbours.
 *
 * @param groupOf the group of a cluster; `null` for none
 */
export function factsOfPlan(plan: Plan, groupOf: (cluster: string) => string | null): FleetFacts {
  const { clusters, links } = touchedNetwork(plan);
  return { clusters: clusters.map((it) => touchedFacts(it, groupOf(it.name))), links: links.map(touchedLink) };
}

const touchedFacts = (
  { name, formerName, release, podCIDRs, action, breaks }: TouchedCluster,
  group: string | null,
): ClusterFacts => ({
  name,
  release,
  podCIDRs,
  group,
  mark: action && MARKS[action],
  formerName,
  breaks,
});

const touchedLink = ({ link, before, hub, action, breaks }: TouchedLink): LinkFacts => ({
  kind: link.kind,
  hub,
  server: link.server,
  client: link.client,
  remaps: action === 'add' ? remapsOf(link) : action === 'change' ? movedViews(link, before) : [],
  mark: action && MARKS[action],
  breaks,
});

const remapsOf = (link: LinkState): readonly Remap[] => viewsOf(link).filter((it) => it.cidr !== it.seenAs);

function movedViews(link: LinkState, before: LinkState | null): readonly Remap[] {
  return [...link.sides.values()].flatMap((side) => {
    const was = before?.sides.get(side.cluster)?.views ?? [];
    return sideViews(side).flatMap((it, i): readonly Remap[] => {
      const earlier = was[i]?.seenAs;
      return earlier === undefined || earlier === it.seenAs ? [] : [{ ...it, was: earlier }];
    });
  });
}

const viewsOf = ({ sides }: LinkState): readonly Remap[] => [...sides.values()].flatMap(sideViews);

const sideViews = ({ cluster, peer, views }: SideState): readonly Remap[] =>
  views.map(({ kind, cidr, seenAs }) => ({ of: peer, seenIn: cluster, kind, cidr, seenAs, was: null }));
