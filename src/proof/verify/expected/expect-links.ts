import { byCodeUnit } from '../../../base/core/collections.ts';
import type { Span } from '../../../base/source/source.ts';
import type {
  ClusterDeclaration,
  Declaration,
  LinkDeclaration,
  ServiceType,
  TemplateName,
} from '../../../fleet/topology/declaration.ts';
import { type ExpectedNames, namesOfEnd } from './names-of-end.ts';
import { dialledAddressOf, joinOrder, type LinkKind, listPairs, namesOfLinks, type Pair, servingEnd } from './pairs.ts';
import type { DecidedBefore } from './recorded.ts';

/** A link as the topology and the lock define it. */
export interface ExpectedLink {
  readonly kind: LinkKind;
  /** Its two clusters in the order of the lock: `rome/europe`. */
  readonly name: string;
  /** The place in the topology where the link is declared. */
  readonly at: Span;
  readonly server: ClusterDeclaration;
  readonly client: ClusterDeclaration;
  /** Number in the order in which links join. */
  readonly join: number;
  /** Number of times that the client end was made to connect again; `null` for none. */
  readonly nudge: number | null;
  readonly mtuBytes: number;
  /** In both directions, instead of those of its clusters; `null` without the option. */
  readonly boundary: LinkDeclaration['boundary'];
  /** The hub of a hub link. */
  readonly hub: string | null;
  readonly commonHubs: readonly string[];
  readonly endpoint: ExpectedEndpoint;
  readonly names: { readonly server: ExpectedNames; readonly client: ExpectedNames };
  /** Gateway templates that the link names. */
  readonly templates: { readonly server: TemplateName | null; readonly client: TemplateName | null };
}

/**
 * The address on which the server listens and that the client dials. weft chooses a port that the topology does not
 * set.
 */
interface ExpectedEndpoint {
  readonly address: string;
  readonly serviceType: ServiceType;
  readonly loadBalancerIP: string | null;
  /** Annotations of the server's Service: the cluster's, overridden by the link's. */
  readonly annotations: ReadonlyMap<string, string>;
  /** The node port, or the service port for other types of Service. */
  readonly port: PortRequest;
  /** The dialled port when a NAT maps it to `port`; `null` when the client dials `port` itself. */
  readonly mapped: number | null;
  /** The service port of a node port, which all gateways of a cluster share; `null` when `port` is the service port. */
  readonly besideNodePort: number | null;
}

interface PortRequest {
  /** The port of the topology. */
  readonly requested: number | null;
  /** The port of the lock. */
  readonly kept: number | null;
  readonly first: number;
  readonly last: number;
}

/** Every link, with its ends, MTU and ports, in join order. */
export function expectLinks(declaration: Declaration, before: DecidedBefore): readonly ExpectedLink[] {
  const pairs = listPairs(declaration);
  const order = declaration.order.map((it) => it.value);
  const names = namesOfLinks(pairs, before);
  const joins = joinOrder(pairs, order, before, names);
  const secret = declaration.keySource === 'liqo' ? null : declaration.keySecretName.value;
  const servers = serversOf(pairs, declaration.shortcutOperator.value, before);
  const links = pairs.map((pair): ExpectedLink => {
    const [a, b] = pair.ends;
    const [server, client] = servers.get(pair) === a.name ? [a, b] : [b, a];
    const { options } = pair;
    return {
      kind: pair.kind,
      name: names.get(pair) ?? '',
      at: pair.at,
      server,
      client,
      join: joins.get(pair) ?? 0,
      nudge: before.nudge(a.name, b.name),
      boundary: options?.boundary ?? null,
      mtuBytes: options?.mtuBytes?.value ?? Math.min(a.gateway.mtuBytes.value, b.gateway.mtuBytes.value),
      hub: pair.hub?.name ?? null,
      commonHubs: pair.commonHubs,
      endpoint: expectedEndpoint(pair, server, before.port(server.name, client.name)),
      names: {
        server: namesOfEnd([server.name, client.name], options, secret),
        client: namesOfEnd([client.name, server.name], options, secret),
      },
      templates: { server: options?.template.server ?? null, client: options?.template.client ?? null },
    };
  });
  return links.sort((x, y) => x.join - y.join);
}

/** The name of the serving end of each pair. */
function serversOf(
  pairs: readonly Pair[],
  hasShortcutOperator: boolean,
  before: DecidedBefore,
): ReadonlyMap<Pair, string> {
  const servers = new Map(pairs.map((it) => [it, servingEnd(it)]));
  const chosen = new Map([...servers].map(([pair, it]) => [pair, it.server]));
  if (!hasShortcutOperator) return chosen;
  const shortcuts = [...servers]
    .filter(([{ kind }]) => kind === 'shortcut')
    .map(([pair, { server, isFree }]) => {
      const ends = [pair.ends[0].name, pair.ends[1].name] as const;
      // An end with a port in the lock already serves: exchanging the ends would interrupt the tunnel.
      const serves = [ends, [ends[1], ends[0]] as const].find(([end, other]) => before.port(end, other) !== null)?.[0];
      const fixed = isFree ? serves : server;
      return { pair, ends, server: fixed ?? server, isFixed: fixed !== undefined };
    });
  for (const [{ pair }, server] of turnShortcuts(shortcuts)) chosen.set(pair, server);
  return chosen;
}

function expectedEndpoint({ options }: Pair, server: ClusterDeclaration, kept: number | null): ExpectedEndpoint {
  const { gateway } = server;
  const serviceType = options?.service?.value ?? gateway.service;
  const [isNodePort, isBalanced] = [serviceType === 'NodePort', serviceType === 'LoadBalancer'];
  const { first, last } = isNodePort ? gateway.nodePorts : gateway.ports;
  const ownAddress = isBalanced ? (options?.loadBalancerIP?.value ?? null) : null;
  const { requested, mapped } = portsOf(options, gateway, isNodePort);
  const besides = isBalanced ? gateway.loadBalancerAnnotations : {};
  return {
    address:
      options?.address?.value ?? gateway.dial.address?.value ?? ownAddress ?? dialledAddressOf(server, options) ?? '',
    serviceType,
    loadBalancerIP: isBalanced ? (ownAddress ?? gateway.loadBalancerIP) : null,
    annotations: new Map(
      [besides, gateway.serviceAnnotations, options?.serviceAnnotations?.value ?? {}].flatMap(Object.entries),
    ),
    port: { requested, kept, first, last },
    mapped,
    besideNodePort: isNodePort ? (options?.servicePort?.value ?? gateway.ports.first) : null,
  };
}

/** The port that the topology sets, and the dialled port when another one is in front of it. */
function portsOf(options: LinkDeclaration | null, { dial }: ClusterDeclaration['gateway'], isNodePort: boolean) {
  const [dialled, service] = [options?.port?.value ?? null, options?.servicePort?.value ?? null];
  const isForwarded = dial.address !== null || dial.port !== null;
  if (isNodePort) return { requested: options?.nodePort?.value ?? null, mapped: dialled ?? dial.port?.value ?? null };
  if (isForwarded) return { requested: service, mapped: dialled ?? dial.port?.value ?? null };
  const isOther = service !== null && dialled !== null && dialled !== service;
  return { requested: service ?? dialled, mapped: isOther ? dialled : null };
}

/** A shortcut of a fleet with the shortcut operator. */
interface Turnable {
  readonly ends: readonly [string, string];
  /** The end that serves when the operator does not matter. */
  readonly server: string;
  /** True when the server end must not change: the topology chose it, or it already serves. */
  readonly isFixed: boolean;
}

/**
 * The server end of each shortcut, with the operator of the fork: a cluster may be the client of only one shortcut, so
 * every tree of shortcuts has one root. The root is the cluster for which no fixed end and the fewest other ends are
 * exchanged; among several, the name that sorts first. In a circle, and when no root is possible, no end is exchanged.
 */
function turnShortcuts<T extends Turnable>(shortcuts: readonly T[]): ReadonlyMap<T, string> {
  const servers = new Map(shortcuts.map((it) => [it, it.server]));
  const edges = new Map<string, T[]>();
  for (const it of shortcuts) {
    for (const end of it.ends) {
      const known = edges.get(end);
      if (known) known.push(it);
      else edges.set(end, [it]);
    }
  }
  const visited = new Set<string>();
  for (const start of [...edges.keys()].sort(byCodeUnit)) {
    if (visited.has(start)) continue;
    const tree = spread(edges, start);
    for (const it of tree.clusters) visited.add(it);
    const root = tree.edges.length === tree.clusters.length - 1 ? rootOf(start, tree.edges) : undefined;
    if (root === undefined) continue;
    for (const { edge, parent } of spread(edges, root).edges) servers.set(edge, parent);
  }
  return servers;
}

interface Directed<T> {
  readonly edge: T;
  /** The end that is nearer to the start of the walk. */
  readonly parent: string;
  readonly child: string;
}

/** All clusters connected with `start`, and each edge once. */
export function spread<T extends Pick<Turnable, 'ends'>>(edges: ReadonlyMap<string, readonly T[]>, start: string) {
  const clusters = [start];
  const known = new Set(clusters);
  const found = new Map<T, Directed<T>>();
  for (const parent of clusters) {
    for (const edge of edges.get(parent) ?? []) {
      if (found.has(edge)) continue;
      const child = edge.ends[0] === parent ? edge.ends[1] : edge.ends[0];
      found.set(edge, { edge, parent, child });
      if (known.has(child)) continue;
      known.add(child);
      clusters.push(child);
    }
  }
  return { clusters, edges: [...found.values()] };
}

/**
 * The best root of a tree; `undefined` when there is none. Changing the root from a parent to its child exchanges the
 * ends of the edge between them, and of no other.
 */
function rootOf<T extends Turnable>(start: string, edges: readonly Directed<T>[]): string | undefined {
  const isTurned = ({ edge }: Directed<T>, server: string): boolean => edge.server !== server;
  const cost = (it: Directed<T>, server: string): number =>
    !isTurned(it, server) ? 0 : it.edge.isFixed ? TOO_MUCH : 1;
  const costs = new Map([[start, edges.reduce((sum, it) => sum + cost(it, it.parent), 0)]]);
  for (const it of edges) {
    costs.set(it.child, (costs.get(it.parent) ?? 0) - cost(it, it.parent) + cost(it, it.child));
  }
  const possible = [...costs].filter(([, sum]) => sum < TOO_MUCH);
  return possible.sort(([a, x], [b, y]) => x - y || byCodeUnit(a, b))[0]?.[0];
}

/** A cost above the number of shortcuts of any fleet. */
const TOO_MUCH = 1e9;
