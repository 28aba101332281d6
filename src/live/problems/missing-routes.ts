import { groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { contains, type Prefix } from '../../base/net/prefix.ts';
import { readPrefix } from '../../base/net/text.ts';
import { type KubernetesObject, type LiveCluster, type Place, placeOf } from '../dumps/kubernetes-object.ts';
import { observeCluster } from '../facts/cluster.ts';
import { gatewayKind, type ObservedPeer } from '../facts/peer.ts';
import { INTO_TUNNEL, observeRoutes, TO_GATEWAY, TO_NODE, tunnelEndOf } from '../facts/routes.ts';
import { isBehind } from './link-problems.ts';

/** Networks of a peer that a RouteConfiguration of a cluster does not lead on. */
interface MissingRoutes {
  readonly cluster: string;
  readonly peer: string;
  readonly of: 'to-gateway' | 'into-tunnel' | 'to-node';
  readonly object: Place;
  /** False when the whole object is missing. */
  readonly exists: boolean;
  readonly networks: readonly string[];
}

const KIND = 'RouteConfiguration.networking.liqo.io';

/**
 * Returns the networks that the routes of a live cluster lack, of those that follow from its own Configurations. Empty
 * where routes were not read, for peers without views, of which Liqo makes none, and for those without a running gateway,
 * where no packet gets as far.
 */
export function missingRoutes(live: LiveCluster): readonly MissingRoutes[] {
  if (!live.listed.has(KIND)) return [];
  const { cluster } = live;
  const nodes = nodesOf(live);
  return [...observeCluster(live).peers.values()].flatMap((peer) => {
    const [configuration, ...others] = peer.configurations;
    if (configuration?.seen == null || others.length > 0) return [];
    const { remote, seen, isReady, conditions, generation } = configuration;
    // Liqo makes routes of a Configuration once it has looked at all of it.
    if (!isReady || conditions.some((it) => isBehind(it, generation))) return [];
    const expected: readonly ExpectedRoutes[] = [
      ...ofGateway(peer, configuration, [...seen.pod, ...seen.external], [...remote.pod, ...remote.external]),
      ...nodes.map((it) => ({ of: 'to-node' as const, ...it, networks: seen.pod })),
    ];
    return expected.flatMap(({ of, object, via, networks }): readonly MissingRoutes[] => {
      const found = live.objects.get(`${KIND} ${object.namespace}/${object.name}`);
      const lacking = networks.filter((it) => found === undefined || !leadsOn(found, it, via));
      if (lacking.length === 0) return [];
      return [{ cluster, peer: peer.remote, of, object, exists: found !== undefined, networks: lacking }];
    });
  });
}

interface ExpectedRoutes extends Pick<MissingRoutes, 'of' | 'object' | 'networks'> {
  /** The next hop; `null` for the overlay address that the object has itself. */
  readonly via: string | null;
}

function ofGateway(
  { gateways: [gateway, ...others], remote }: ObservedPeer,
  { namespace, name }: Place,
  views: readonly string[],
  networks: readonly string[],
): readonly ExpectedRoutes[] {
  if (gateway === undefined || others.length > 0 || !gateway.hasPod) return [];
  const far = tunnelEndOf(gatewayKind(gateway.role));
  return [
    { of: 'to-gateway', object: { namespace, name: `${remote}${TO_GATEWAY}` }, via: null, networks: views },
    { of: 'into-tunnel', object: { namespace, name: `${name}${INTO_TUNNEL}` }, via: far, networks },
  ];
}

/** The other RouteConfiguration of each node: it leads answers there. Source: see `TO_NODE`. */
const ANSWERS_TO_NODE = '-service-nodeport-routing';

/** The object with the routes to each node, and the overlay address of the node. */
const nodesOf = ({ objects }: LiveCluster): readonly Pick<ExpectedRoutes, 'object' | 'via'>[] =>
  [...objects.values()].filter(isOfNode).map((it) => {
    const { namespace, name } = placeOf(it);
    const object = { namespace, name: `${name.slice(0, -ANSWERS_TO_NODE.length)}${TO_NODE}` };
    return { object, via: observeRoutes(it).routes[0]?.via ?? null };
  });

const isOfNode = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'RouteConfiguration' && metadata.name.endsWith(ANSWERS_TO_NODE);

/** True when packets to the network are led on, whatever node they come from. */
function leadsOn(found: KubernetesObject, network: string, via: string | null): boolean {
  const { routes, overlay, nodes } = routesOf(found);
  const next = via ?? overlay;
  const right = routes.get(network)?.filter((it) => it.dst === network && (next === null || it.via === next)) ?? [];
  return right.length > 0 && right.length >= nodes;
}

/** The routes of an object by network, and the number of nodes from which packets come to them. */
const routesOf = oncePer((it: KubernetesObject) => {
  const { routes, overlay } = observeRoutes(it);
  const nodes = new Set(routes.map((one) => one.from)).size;
  return { routes: groupBy(routes, (one) => [one.to]), overlay, nodes };
});

/** The name of the RouteConfiguration of a cluster that lacks a route to an address of a peer. */
export function routesMissingIn(
  live: readonly LiveCluster[],
): (cluster: string, peer: string, of: MissingRoutes['of'], to: Prefix) => string | undefined {
  const found = groupBy(live.flatMap(missingRoutes), (it) => [`${it.cluster} ${it.peer} ${it.of}`]);
  const covers = (network: string, to: Prefix): boolean => {
    const read = readPrefix(network);
    return read.ok && contains(read.prefix, to);
  };
  return (cluster, peer, of, to) =>
    found.get(`${cluster} ${peer} ${of}`)?.find((it) => it.networks.some((one) => covers(one, to)))?.object.name;
}
