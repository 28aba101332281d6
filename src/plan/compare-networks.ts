import { groupBy, sortedUnique } from '../base/core/collections.ts';
import { type AroundLinks, compareLinks, followsNamespace, knowsTemplate, sameTexts } from './compare-links.ts';
import { remoteNamespaces } from './compare-sharing.ts';
import type { Difference, OrderEntry, RemoteNamespace, SettingName } from './difference.ts';
import { secretOf } from './folder-state.ts';
import {
  type ClusterState,
  type FleetState,
  HELM_SETTINGS,
  type LinkState,
  type NetworkState,
  pairOf,
  type ShareState,
  type SharingState,
  shareOf,
  viewsOfKind,
} from './network-state.ts';

/** The differences between two networks with the same names, in a fixed order: clusters, links, then their content. */
export function* compareNetworks(before: NetworkState, after: NetworkState): Iterable<Difference> {
  yield* compareFleets(before, after);
  for (const name of keysOfBoth(before.clusters, after.clusters)) {
    yield* compareClusters(before.clusters.get(name), after.clusters.get(name));
  }
  const around: AroundLinks = {
    sameTemplate: followsNamespace(before, after),
    knowsTemplates: (was, is) =>
      knowsTemplate(before, was.cluster, was.template) && knowsTemplate(after, is.cluster, is.template),
    offloaded: offloadedBefore(before.sharing, after.sharing),
    // When Liqo makes the Secrets on one side only, a setting says so.
    secretsOf: (was, is) => {
      const [from, to] = [secretOf(was, before.fleet.keySecret), secretOf(is, after.fleet.keySecret)];
      const isSame = before.fleet.keySource !== after.fleet.keySource || from === to;
      return isSame || from === null || to === null ? null : { from, to };
    },
  };
  for (const pair of keysOfBoth(before.links, after.links)) {
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
const keysOfBoth = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): readonly string[] =>
  sortedUnique([...a.keys(), ...b.keys()]);

/** The namespaces in providers that would stay there. Namespaces that end by themselves are changes of their own. */
function offloadedBefore(before: SharingState, after: SharingState): AroundLinks['offloaded'] {
  const keyOf = (it: RemoteNamespace): string => [it.cluster, it.namespace, it.provider, it.name].join(' ');
  const staying = new Set(remoteNamespaces(after).map(keyOf));
  const pairs = groupBy(
    remoteNamespaces(before).filter((it) => staying.has(keyOf(it))),
    (it) => [shareOf(it.cluster, it.provider)],
  );
  return (cluster, provider) => pairs.get(shareOf(cluster, provider)) ?? [];
}

/** Compares the settings of fleets. A setting that no file of one side contains is skipped. */
function* compareFleets(before: NetworkState, after: NetworkState): Iterable<Difference> {
  const [was, is] = [before.fleet, after.fleet];
  const settings = [
    ['name', was.name, is.name],
    ['topologyFile', was.topologyFile, is.topologyFile],
    ...keySettings(was, is),
    ['liqo.emitConnections', was.emitConnections, is.emitConnections],
    ['liqo.shortcutOperator', was.shortcutOperator, is.shortcutOperator],
  ] as const;
  for (const [setting, from, to] of settings) {
    if (from === null || to === null || from === to) continue;
    yield { kind: 'setting-changed', cluster: null, setting, from: String(from), to: String(to) };
  }
}

/** Another name is another Secret only while the same side makes it. */
function keySettings(
  was: FleetState,
  is: FleetState,
): readonly (readonly [SettingName, string | null, string | null])[] {
  if (was.keySource === is.keySource && was.keyStore === is.keyStore)
    return [['keys.secretName', was.keySecret, is.keySecret]];
  const text = ({ keySource, keySecret, keyStore }: FleetState): string | null =>
    keySource === null || keySource === 'liqo'
      ? keySource
      : `${keySource} as ${keySecret ?? ''}${keyStore === null ? '' : ` from ${keyStore}`}`;
  return [['keys.secrets', text(was), text(is)]];
}

/** Compares the order of peers. Added and removed peers do not change the order of the others. */
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

function* compareClusters(was: ClusterState | undefined, is: ClusterState | undefined): Iterable<Difference> {
  if (was && !is) {
    const { name: cluster, retired: wasRetired } = was;
    yield { kind: 'cluster-removed', cluster, wasRetired, lookalike: null, appliers: [] };
  }
  if (is && !was)
    yield { kind: 'cluster-added', cluster: is.name, own: is.own, values: helmValuesOf(is), destinations: [] };
  if (was && is && !was.retired && is.retired) yield { kind: 'cluster-retired', cluster: is.name };
  if (was && is && was.retired && !is.retired) yield { kind: 'cluster-returned', cluster: is.name };
  yield* compareBlocks(was, is);
  if (was && is && !was.retired && !is.retired) yield* compareInstallations(was, is);
}

/** The Helm values of a cluster apart from its own networks, `key=value`; those that are not set are left out. */
function helmValuesOf({ reserved, pools, requested, apiServer, helmValues, ...it }: ClusterState) {
  const single = {
    externalCIDR: requested.external,
    internalCIDR: requested.internal,
    ...apiServer,
    'metrics.enabled': it.reportsMetrics ? 'true' : null,
    fullMasquerade: it.masquerades ? 'true' : null,
  };
  return [
    ...Object.entries(single).flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`])),
    ...pools.map((pool) => `pools=${pool}`),
    ...reserved.map((network) => `reserved=${network}`),
    ...HELM_SETTINGS.flatMap((setting) => helmValues[setting]),
  ];
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

function* compareInstallations(was: ClusterState, is: ClusterState): Iterable<Difference> {
  const { name: cluster } = is;
  for (const role of ['pod', 'service', 'external', 'internal'] as const) {
    const [from, to] = [was.own[role], is.own[role]];
    const request = role === 'external' || role === 'internal' ? is.requested[role] : null;
    const requested = request !== null && to.includes(request) ? null : request;
    if (!sameTexts(from, to)) yield { kind: 'own-cidr-changed', cluster, role, from, to, requested };
  }
  if (!sameTexts(was.reserved, is.reserved)) {
    const [before, after] = [new Set(was.reserved), new Set(is.reserved)];
    const added = is.reserved.filter((it) => !before.has(it));
    const removed = was.reserved.filter((it) => !after.has(it));
    yield { kind: 'reservation-changed', cluster, added, removed };
  }
  const setting = (name: SettingName, from: string | null, to: string | null): readonly Difference[] =>
    from === to ? [] : [{ kind: 'setting-changed', cluster, setting: name, from, to }];
  yield* setting('ipam.pools', was.pools.join(', '), is.pools.join(', '));
  yield* setting('monitoring.prometheusRules', String(was.reportsMetrics), String(is.reportsMetrics));
  for (const it of ['address', 'ca', 'trustedCA'] as const) {
    yield* setting(`apiServer.${it}`, was.apiServer[it], is.apiServer[it]);
  }
  yield* setting('fullMasquerade', String(was.masquerades), String(is.masquerades));
  const onlyIn = (some: readonly string[], others: readonly string[]): string | null =>
    some.filter((it) => !others.includes(it)).join(', ') || null;
  for (const name of HELM_SETTINGS) {
    const [from, to] = [was.helmValues[name], is.helmValues[name]];
    yield* setting(name, onlyIn(from, to), onlyIn(to, from));
  }
  for (const role of ['external', 'internal'] as const) {
    // A new network is reported above. Here the network stays, and only the request in the Helm values differs. Another
    // release may print a request for the default differently.
    if (!sameTexts(was.own[role], is.own[role]) || was.provenLine !== is.provenLine) continue;
    yield* setting(`${role}CIDR`, was.requested[role], is.requested[role]);
  }
  if (was.namespace !== null && is.namespace !== null) yield* setting('liqo.namespace', was.namespace, is.namespace);
}

/** Compares the network that continuing virtual nodes have read with the one after the change. */
function* compareNodeNetworks(before: NetworkState, after: NetworkState): Iterable<Difference> {
  for (const [key, { consumer, provider, slices }] of after.sharing.shares) {
    const earlier = before.sharing.shares.get(key);
    if (earlier === undefined || !hasVirtualNodes(earlier)) continue;
    const [was, is] = [before, after].map(({ links }) => links.get(pairOf(consumer, provider)));
    const because = reasonOf(was, is, consumer);
    const known = new Set(earlier.slices.map((it) => it.name));
    const names = slices.map((it) => it.name).filter((it) => known.has(it));
    if (because !== null && names.length > 0)
      yield { kind: 'node-network-changed', consumer, provider, because, slices: names };
  }
}

/** True when the files contain both halves of the handshake. */
const hasVirtualNodes = ({ tenant, identity }: ShareState): boolean =>
  tenant !== null && tenant.condition !== 'Drained' && (identity !== null || tenant.policy === 'TolerateNoHandshake');

type Because = Difference<'node-network-changed'>['because'];

function reasonOf(was: LinkState | undefined, is: LinkState | undefined, consumer: string): Because | null {
  if (!was || !is) return is ? 'link-added' : was ? 'link-removed' : null;
  const [old, now] = [was, is].map((it) => podViews(it, consumer));
  return sameTexts(old ?? [], now ?? []) ? null : 'view-moved';
}

/** The pod CIDRs of the provider, and the consumer's views of them. */
function podViews({ sides }: LinkState, consumer: string): readonly string[] {
  const side = sides.get(consumer);
  return side === undefined ? [] : viewsOfKind(side, 'pod').flatMap((it) => [it.cidr, it.seenAs]);
}
