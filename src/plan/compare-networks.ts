import { sortedUnique } from '../core/order.ts';
import type { Difference, OrderEntry, Ports, SettingName } from './difference.ts';
import {
  type ClusterState,
  type LinkState,
  type NetworkState,
  pairOf,
  type ServiceState,
  type SideState,
  type ViewState,
} from './network-state.ts';

/** What differs between two networks of the same names, in a fixed order: clusters, links, then what lies in them. */
export function* compareNetworks(before: NetworkState, after: NetworkState): Iterable<Difference> {
  yield* compareFleets(before, after);
  for (const name of namesOf(before.clusters, after.clusters)) {
    yield* compareClusters(before.clusters.get(name), after.clusters.get(name));
  }
  for (const pair of namesOf(before.links, after.links)) {
    const [was, is] = [before.links.get(pair), after.links.get(pair)];
    if (was && is) yield* compareLinks(was, is, followsNamespace(before, after));
    else if (is) yield { kind: 'link-added', link: is };
    else if (was) yield { kind: 'link-removed', link: was };
  }
  for (const [name, is] of after.clusters) {
    const was = before.clusters.get(name);
    if (was) yield* compareOrder(before, was, after, is);
  }
}

/** The keys of both, in order (code units). */
const namesOf = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): readonly string[] =>
  sortedUnique([...a.keys(), ...b.keys()]);

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((it, i) => it === b[i]);

/** What no file says on one side is not compared. */
function* compareFleets(before: NetworkState, after: NetworkState): Iterable<Difference> {
  const [was, is] = [before.fleet, after.fleet];
  const settings = [
    ['name', was.name, is.name],
    ["the topology's file name", was.topologyFile, is.topologyFile],
    ['keys.secretName', was.keySecret, is.keySecret],
    ['liqo.emitConnections', was.emitConnections, is.emitConnections],
    ['liqo.shortcutOperator', was.shortcutOperator, is.shortcutOperator],
  ] as const;
  for (const [setting, from, to] of settings) {
    if (from === null || to === null || from === to) continue;
    yield { kind: 'setting-changed', cluster: null, setting, from: String(from), to: String(to) };
  }
}

function* compareClusters(was: ClusterState | undefined, is: ClusterState | undefined): Iterable<Difference> {
  if (was && !is) yield { kind: 'cluster-removed', cluster: was.name, wasRetired: was.retired };
  if (is && !was) yield { kind: 'cluster-added', cluster: is.name };
  if (was && is && !was.retired && is.retired) yield { kind: 'cluster-retired', cluster: is.name };
  if (was && is && was.retired && !is.retired) yield { kind: 'cluster-returned', cluster: is.name };
  yield* compareBlocks(was, is);
  if (was && is && !was.retired && !is.retired) yield* compareInstallations(was, is);
}

function* compareBlocks(was: ClusterState | undefined, is: ClusterState | undefined): Iterable<Difference> {
  const cluster = (is ?? was)?.name ?? '';
  for (const block of ['external', 'internal'] as const) {
    const [from, to] = [was?.blocks[block] ?? null, is?.blocks[block] ?? null];
    if (from === to) continue;
    if (from !== null) yield { kind: 'block-returned', cluster, block, cidr: from };
    if (to !== null) yield { kind: 'block-carved', cluster, block, cidr: to };
  }
}

/** What the cluster was installed with. */
function* compareInstallations(was: ClusterState, is: ClusterState): Iterable<Difference> {
  const { name: cluster } = is;
  for (const role of ['pod', 'service', 'external', 'internal'] as const) {
    const [from, to] = [was.own[role], is.own[role]];
    if (!sameTexts(from, to)) yield { kind: 'own-cidr-changed', cluster, role, from, to };
  }
  if (!sameTexts(was.reserved, is.reserved)) {
    const added = is.reserved.filter((it) => !was.reserved.includes(it));
    const removed = was.reserved.filter((it) => !is.reserved.includes(it));
    yield { kind: 'reservation-changed', cluster, added, removed };
  }
  const setting = (name: SettingName, from: string | null, to: string | null): readonly Difference[] =>
    from === to ? [] : [{ kind: 'setting-changed', cluster, setting: name, from, to }];
  yield* setting('ipam.pools', was.pools.join(', '), is.pools.join(', '));
  for (const role of ['external', 'internal'] as const) {
    // A new network is told above; here nobody moves, but the installation is asked for in another way.
    // Since 1.2 a wish for the default is written in another way.
    if (!sameTexts(was.own[role], is.own[role]) || was.replacesChangedNetworks !== is.replacesChangedNetworks) continue;
    yield* setting(`${role}CIDR`, was.wishes[role], is.wishes[role]);
  }
  if (was.namespace !== null && is.namespace !== null) yield* setting('liqo.namespace', was.namespace, is.namespace);
}

function* compareLinks(was: LinkState, is: LinkState, follows: Follows): Iterable<Difference> {
  const { ends } = is;
  const sameRoles = was.server === is.server;
  if (was.kind !== is.kind) yield { kind: 'link-kind-changed', ends, from: was.kind, to: is.kind };
  if (sameRoles) yield* compareEndpoints(was, is);
  else yield { kind: 'role-changed', ends, from: was.server, to: is.server, link: is };
  if (was.mtuBytes !== is.mtuBytes) yield { kind: 'mtu-changed', ends, from: was.mtuBytes, to: is.mtuBytes };
  for (const [cluster, side] of is.sides) {
    const old = was.sides.get(cluster);
    if (!old) continue;
    if (sameRoles && !follows(old, side)) yield* compareTemplates(old, side);
    yield* compareKeys(old, side);
    yield* compareViews(old, side);
  }
}

function* compareEndpoints(was: LinkState, is: LinkState): Iterable<Difference> {
  const { ends, server, client } = is;
  const [from, to] = [portsOf(was), portsOf(is)];
  // Where one side does not say its Service, only what is dialled can be compared.
  const samePorts = was.service && is.service ? JSON.stringify(from) === JSON.stringify(to) : was.port === is.port;
  if (!samePorts) yield { kind: 'port-changed', ends, server, from, to };
  if (was.address !== is.address) yield { kind: 'address-changed', ends, client, from: was.address, to: is.address };
  if (was.service && is.service && offerOf(was.service) !== offerOf(is.service)) {
    yield { kind: 'service-changed', ends, server, from: was.service, to: is.service };
  }
}

const portsOf = ({ port, service }: LinkState): Ports => ({
  dialled: port,
  service: service?.port ?? '',
  node: service?.nodePort ?? null,
});

const offerOf = ({ type, loadBalancerIP, annotations }: ServiceState): string =>
  JSON.stringify([type, loadBalancerIP, annotations]);

/** Whether a side's template is the same one, in the namespace that the cluster's Liqo has moved to. */
type Follows = (was: SideState, is: SideState) => boolean;

function followsNamespace(before: NetworkState, after: NetworkState): Follows {
  const nameIn = ({ clusters }: NetworkState, { cluster, template }: SideState): string | undefined => {
    const namespace = clusters.get(cluster)?.namespace ?? '';
    return template?.startsWith(`${namespace}/`) ? template.slice(namespace.length) : undefined;
  };
  return (was, is) => nameIn(before, was) !== undefined && nameIn(before, was) === nameIn(after, is);
}

function* compareTemplates(was: SideState, { cluster, peer, template: to }: SideState): Iterable<Difference> {
  const from = was.template;
  if (from !== to && from !== null && to !== null) yield { kind: 'template-changed', cluster, peer, from, to };
}

function* compareViews(was: SideState, is: SideState): Iterable<Difference> {
  const { cluster, peer } = is;
  for (const cidr of ['pod', 'external'] as const) {
    const [from, to] = [was, is].map((it) => it.views.filter((view) => view.kind === cidr)) as [
      ViewState[],
      ViewState[],
    ];
    const announced = (views: readonly ViewState[]) => views.map((it) => it.cidr);
    if (!sameTexts(announced(from), announced(to))) yield { kind: 'announced-changed', cluster, peer, cidr, from, to };
    for (const [index, view] of to.entries()) {
      const old = from[index];
      if (!old) continue;
      if (old.seenAs !== view.seenAs) {
        yield { kind: 'view-moved', cluster, peer, cidr, index, from: old.seenAs, to: view.seenAs };
      }
      if (old.history !== view.history) {
        yield { kind: 'history-changed', cluster, peer, cidr, index, seenAs: view.seenAs, to: view.history };
      }
    }
  }
}

/** The key that an end holds belongs to the gateway at the other end. */
function* compareKeys(was: SideState, is: SideState): Iterable<Difference> {
  const [from, to] = [was.keyOfPeer, is.keyOfPeer];
  const side = { cluster: is.peer, peer: is.cluster };
  if (from === to) return;
  if (from === null && to !== null) yield { kind: 'key-added', ...side, to };
  else if (from !== null && to === null) yield { kind: 'key-removed', ...side, from };
  else if (from !== null && to !== null) yield { kind: 'key-changed', ...side, from, to };
}

/** Newcomers and leavers do not change the order of the others. */
function* compareOrder(
  before: NetworkState,
  was: ClusterState,
  after: NetworkState,
  is: ClusterState,
): Iterable<Difference> {
  const [from, to] = [orderOf(before, was), orderOf(after, is)];
  const text = (list: readonly OrderEntry[], others: readonly OrderEntry[]): string => {
    const known = new Set(others.map((it) => it.peer));
    return JSON.stringify(list.filter((it) => known.has(it.peer)));
  };
  const isOrdered = (list: readonly OrderEntry[]): boolean => list.some((it) => it.turn !== null);
  if (text(from, to) === text(to, from) && isOrdered(from) === isOrdered(to)) return;
  yield { kind: 'order-changed', cluster: is.name, from, to };
}

function orderOf({ links }: NetworkState, { name, peers }: ClusterState): readonly OrderEntry[] {
  return peers.map((peer) => {
    const link = links.get(pairOf(name, peer));
    return { peer, turn: link?.sides.get(name)?.orderDependent ? (link.join ?? 0) : null };
  });
}
