import { byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { readPrefix } from '../../base/net/text.ts';
import type { AddressesFile, AddressesGateway, AddressesView } from '../../base/schema-types/addresses.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import type { ObservedGateway, ObservedPeer } from '../facts/peer.ts';

/** The recorded addresses of all clusters, dumped or not. */
interface RecordedAddresses {
  readonly compiled: AddressesFile;
  /** Read from the bundles on disk. */
  readonly before: AddressesFile;
}

/**
 * Returns `addresses.json` with the live state: how each cluster sees its peers, and its gateways. A link exists when
 * every dumped end has a gateway and a Configuration; the values of an end without a dump stay as before.
 */
export function liveAddresses(
  observed: ReadonlyMap<string, ObservedCluster>,
  { compiled, before }: RecordedAddresses,
): AddressesFile {
  const known = { before: byPair(before.gateways), compiled: byPair(compiled.gateways) };
  const ofOthers = before.gateways.filter((it) => !observed.has(it.cluster));
  const sides = [
    ...[...observed.values()].flatMap((it) => [...it.peers.keys()].map((peer) => ({ cluster: it.cluster, peer }))),
    ...ofOthers.map(({ cluster, peer }) => ({ cluster, peer })),
  ];
  const recorded = new Map(ofOthers.map((it) => [sideKey(it), it]));
  const there = new Set(sides.filter((it) => isThere(observed, it, recorded)).map(sideKey));
  const inGit = [...compiled.gateways.filter((it) => observed.has(it.cluster)), ...ofOthers];
  const order = new Map(inGit.map((it, index) => [sideKey(it), index]));
  const linked = [...new Map(sides.flatMap((it) => [it, turned(it)]).map((it) => [sideKey(it), it]))]
    .filter(([pair, it]) => there.has(pair) && (there.has(sideKey(turned(it))) || !observed.has(it.peer)))
    .flatMap(([, it]) => (observed.has(it.peer) ? [it] : [it, turned(it)]));
  const all = [...new Map(linked.map((it) => [sideKey(it), it])).values()].sort(
    (a, b) =>
      byCodeUnit(a.cluster, b.cluster) ||
      (order.get(sideKey(a)) ?? order.size) - (order.get(sideKey(b)) ?? order.size) ||
      byCodeUnit(a.peer, b.peer),
  );
  const gateways = all.map((it) => gatewayRow(observed, it, known)).filter((it) => isPort(it.port));
  const views = {
    before: groupBy(before.views, (it) => [sideKey(it)]),
    compiled: groupBy(compiled.views, (it) => [sideKey(it)]),
  };
  return {
    version: 1,
    topology: compiled.topology,
    views: gateways.flatMap(({ cluster, peer }) => viewRows(observed, { cluster, peer }, views)),
    gateways,
  };
}

interface Side {
  readonly cluster: string;
  readonly peer: string;
}

const sideKey = ({ cluster, peer }: Side): string => printLinkId({ first: cluster, second: peer });

const byPair = <T extends Side>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((it) => [sideKey(it), it]));

/** Recorded rows by `sideKey`. */
interface RecordedRows<T> {
  readonly before: ReadonlyMap<string, T>;
  readonly compiled: ReadonlyMap<string, T>;
}

// Live objects may have any number or text instead of a port or a network.

const isPort = (it: number | null | undefined): it is number =>
  it != null && Number.isInteger(it) && it > 0 && it < 65_536;

const isMtu = (it: number | null | undefined): it is number => it != null && Number.isInteger(it);

const networkIn = (text: string | undefined): string | undefined =>
  text !== undefined && readPrefix(text).ok ? text : undefined;

const turned = ({ cluster, peer }: Side): Side => ({ cluster: peer, peer: cluster });

type Observed = ReadonlyMap<string, ObservedCluster>;

const peerIn = (observed: Observed, { cluster, peer }: Side): ObservedPeer | undefined =>
  observed.get(cluster)?.peers.get(peer);

function isThere(observed: Observed, side: Side, recorded: ReadonlyMap<string, AddressesGateway>): boolean {
  const found = peerIn(observed, side);
  if (!observed.has(side.cluster)) return recorded.has(sideKey(side));
  return found !== undefined && found.gateways.length > 0 && found.configurations.length > 0;
}

/** Returns one end's gateway row. Each value comes from the end that decides it, if that was dumped. */
function gatewayRow(observed: Observed, side: Side, known: RecordedRows<AddressesGateway>): AddressesGateway {
  const [own, far] = [gatewayOf(observed, side), gatewayOf(observed, turned(side))];
  const compiled = known.compiled.get(sideKey(side));
  const before = known.before.get(sideKey(side)) ?? compiled;
  const farRole = far?.role ?? (before?.role === 'server' ? 'client' : 'server');
  const role = own?.role ?? (farRole === 'server' ? 'client' : 'server');
  const [server, client] = role === 'server' ? [own, far] : [far, own];
  const offered = server?.service?.type === 'NodePort' ? server.service.nodePort : server?.service?.port;
  const mtus = [server?.mtu, client?.mtu].filter(isMtu);
  return {
    cluster: side.cluster,
    peer: side.peer,
    role,
    address: client?.dials?.addresses[0] ?? before?.address ?? server?.reachable?.addresses[0] ?? '',
    port: [client?.dials?.port, before?.port, offered].find(isPort) ?? 0,
    // When the two ends differ, the MTU that has to change.
    mtu: mtus.find((it) => it !== compiled?.mtu) ?? mtus[0] ?? before?.mtu ?? 0,
  };
}

const gatewayOf = (observed: Observed, side: Side): ObservedGateway | undefined => peerIn(observed, side)?.gateways[0];

function viewRows(
  observed: Observed,
  side: Side,
  { before, compiled }: RecordedRows<readonly AddressesView[]>,
): readonly AddressesView[] {
  const rows = compiled.get(sideKey(side)) ?? before.get(sideKey(side)) ?? [];
  const [configuration] = peerIn(observed, side)?.configurations ?? [];
  if (configuration === undefined) return before.get(sideKey(side)) ?? rows;
  const byCidr = new Map(rows.map((it) => [`${it.kind} ${it.cidr}`, it]));
  const [first = before.get(sideKey(side))?.[0]] = rows;
  return (['pod', 'external'] as const).flatMap((kind) =>
    configuration.remote[kind].flatMap((cidr, index): readonly AddressesView[] => {
      if (networkIn(cidr) === undefined) return [];
      const recorded = byCidr.get(`${kind} ${cidr}`);
      const row: AddressesView = {
        ...side,
        kind,
        cidr,
        seenAs: networkIn(configuration.seen?.[kind][index]) ?? recorded?.seenAs ?? cidr,
        link: first?.link ?? 'peering',
        orderDependent: recorded?.orderDependent ?? false,
        history: recorded?.history ?? false,
      };
      return [row];
    }),
  );
}
