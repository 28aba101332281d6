import { groupBy } from '../base/core/group-by.ts';
import { sortedUnique } from '../base/core/order.ts';
import { compareClusters } from './compare-clusters.ts';
import { type AroundLinks, compareLinks, followsNamespace, knowsTemplate } from './compare-links.ts';
import { compareNodeNetworks } from './compare-node-networks.ts';
import type { Difference, OrderEntry, RemoteNamespace } from './difference.ts';
import { type ClusterState, type NetworkState, pairOf } from './network-state.ts';
import { secretOf } from './read-names-state.ts';
import { remoteNamespaces } from './remote-namespaces.ts';
import { type SharingState, shareOf } from './sharing-state.ts';

/** What differs between two networks of the same names, in a fixed order: clusters, links, then their content. */
export function* compareNetworks(before: NetworkState, after: NetworkState): Iterable<Difference> {
  yield* compareFleets(before, after);
  for (const name of namesOf(before.clusters, after.clusters)) {
    yield* compareClusters(before.clusters.get(name), after.clusters.get(name));
  }
  const around: AroundLinks = {
    sameTemplate: followsNamespace(before, after),
    knowsTemplates: (was, is) =>
      knowsTemplate(before, was.cluster, was.template) && knowsTemplate(after, is.cluster, is.template),
    offloaded: offloadedBefore(before.sharing, after.sharing),
    isSameSecret: (was, is) => secretOf(was, before.fleet.keySecret) === secretOf(is, after.fleet.keySecret),
  };
  for (const pair of namesOf(before.links, after.links)) {
    const [was, is] = [before.links.get(pair), after.links.get(pair)];
    if (was && is) yield* compareLinks(was, is, around);
    else if (is) yield { kind: 'link-added', link: is };
    else if (was) yield { kind: 'link-removed', link: was };
  }
  for (const [name, is] of after.clusters) {
    const was = before.clusters.get(name);
    if (was) yield* compareOrder(before, was, after, is);
  }
  yield* compareNodeNetworks(before, after);
}

/** The keys of both, in order (code units). */
const namesOf = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): readonly string[] =>
  sortedUnique([...a.keys(), ...b.keys()]);

/** What is in providers and would stay there: what ends by itself is a change of its own. */
function offloadedBefore(before: SharingState, after: SharingState): AroundLinks['offloaded'] {
  const keyOf = (it: RemoteNamespace): string => [it.cluster, it.namespace, it.provider, it.name].join(' ');
  const staying = new Set(remoteNamespaces(after).map(keyOf));
  const pairs = groupBy(
    remoteNamespaces(before).filter((it) => staying.has(keyOf(it))),
    (it) => [shareOf(it.cluster, it.provider)],
  );
  return (cluster, provider) => pairs.get(shareOf(cluster, provider)) ?? [];
}

/** A setting that no file of one side contains is not compared. */
function* compareFleets(before: NetworkState, after: NetworkState): Iterable<Difference> {
  const [was, is] = [before.fleet, after.fleet];
  const settings = [
    ['name', was.name, is.name],
    ['topologyFile', was.topologyFile, is.topologyFile],
    ['keys.secretName', was.keySecret, is.keySecret],
    ['liqo.emitConnections', was.emitConnections, is.emitConnections],
    ['liqo.shortcutOperator', was.shortcutOperator, is.shortcutOperator],
  ] as const;
  for (const [setting, from, to] of settings) {
    if (from === null || to === null || from === to) continue;
    yield { kind: 'setting-changed', cluster: null, setting, from: String(from), to: String(to) };
  }
}

/** Added and removed peers do not change the order of the others. */
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
    // A peer that needs a remap is applied after those that need none.
    const isRemapped = link?.sides.get(name)?.views.some((it) => it.cidr !== it.seenAs) === true;
    return { peer, turn: isRemapped ? (link?.join ?? 0) : null };
  });
}
