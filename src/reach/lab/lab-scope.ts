import { lastAddress, maskOf, moveHost, type Prefix } from '../../base/net/prefix.ts';
import type { BoundedModel } from '../../fleet/boundaries/bounded-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type Peer,
  unknownSource,
} from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, type Link } from '../../fleet/model/network-model.ts';

/** The network of a lab; its gateways have fences if it has boundaries. */
export type LabModel = AddressedModel & Partial<Pick<BoundedModel, 'boundaries'>>;

/** The part of a fleet that a lab builds. */
export interface LabScope {
  readonly model: LabModel;
  /** Clusters with at least one of `links`, by name. */
  readonly clusters: readonly LabCluster[];
  /** Links that carry packets. A link without keys is excluded, because its gateways only wait for each other. */
  readonly links: readonly Link[];
  /** Requested links without keys, which are not built. */
  readonly keyless: readonly Link[];
}

export interface LabCluster {
  readonly cluster: AddressedCluster;
  /** Peers that are in the lab, by name, in apply order. */
  readonly peers: ReadonlyMap<string, Peer>;
}

/**
 * Selects the whole fleet when no name is given; for one name, that cluster with its peers, over its own links; for
 * several names, these clusters and the links between them.
 */
export function labScope(model: LabModel, names: readonly string[]): LabScope {
  const requested = model.links.filter((it) => isSelected(it, new Set(names)));
  const links = requested.filter(carriesPackets);
  const selected = new Set(links);
  const clusters = [...model.clusters.values()]
    .map((cluster) => ({ cluster, peers: new Map([...cluster.peers].filter(([, it]) => selected.has(it.link))) }))
    .filter((it) => it.peers.size > 0);
  return { model, clusters, links, keyless: requested.filter((it) => !carriesPackets(it)) };
}

function isSelected({ server, client }: Link, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return true;
  const [first, second] = [names.has(server.cluster.name), names.has(client.cluster.name)];
  return names.size === 1 ? first || second : first && second;
}

/**
 * An address of a hub's external CIDR that is mapped to one pod of a leaf, so that another leaf can reach the pod. Liqo
 * creates one for each pod that the hub offloads, in order of arrival.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/ipmapping/pod_controller.go.
 */
export interface ScopedIpMapping {
  readonly hub: string;
  /** The cluster of the pod. */
  readonly leaf: string;
  /** Index of the pod among the pods of the leaf. */
  readonly pod: number;
  /** The pod's address from the hub's point of view. */
  readonly real: number;
  /** The address in the external CIDR of the hub that is mapped to the pod. */
  readonly mapped: number;
}

/** A cluster that reaches another one through a third one, because it has no link to it. */
interface Transit {
  readonly from: LabCluster;
  readonly hub: LabCluster;
  readonly to: LabCluster;
}

/**
 * Every ordered pair of clusters without a link in the lab, or without one in another state, once for each cluster that
 * has lab links to both.
 */
function transits(scope: LabScope, states: readonly LabScope[]): readonly Transit[] {
  return scope.clusters.flatMap((from) =>
    scope.clusters
      .filter((to) => to !== from && areApart(from, to, states))
      .flatMap((to) => hubsBetween(scope, from, to).map((hub) => ({ from, hub, to }))),
  );
}

/** The clusters that have lab links to both. */
export const hubsBetween = ({ clusters }: LabScope, from: LabCluster, to: LabCluster): readonly LabCluster[] =>
  clusters.filter((it) => isJoined(it, from) && isJoined(it, to));

/** True when the two have no link in one of the states: what uses a hub there goes on when they get one. */
export const areApart = (from: LabCluster, to: LabCluster, states: readonly LabScope[]): boolean =>
  !isJoined(from, to) ||
  states.some(({ clusters }) => {
    const [a, b] = [from, to].map((it) => clusters.find((one) => one.cluster.name === it.cluster.name));
    return a !== undefined && b !== undefined && !isJoined(a, b);
  });

/** True when a link of the lab connects the two. */
export const isJoined = (a: LabCluster, b: LabCluster): boolean => a.peers.has(b.cluster.name);

/**
 * The mappings that the transits need, as far as the external CIDR of each hub has free addresses.
 *
 * @param states all states that the lab goes through, in which a pod keeps its address
 */
export function ipMappings(scope: LabScope, states: readonly LabScope[] = [scope]): readonly ScopedIpMapping[] {
  const pods = new Map<string, Set<string>>();
  for (const it of states.flatMap((one) => requestedMappings(one, states)))
    pods.set(it.hub.cluster.name, (pods.get(it.hub.cluster.name) ?? new Set()).add(podKey(it)));
  const indexes = new Map([...pods].map(([hub, keys]) => [hub, new Map([...keys].map((it, index) => [it, index]))]));
  return requestedMappings(scope, states).flatMap((it) => {
    const cluster = it.hub.cluster;
    const index = indexes.get(cluster.name)?.get(podKey(it)) ?? 0;
    const room = lastAddress(cluster.externalCIDR) - unknownSource(cluster);
    const { leaf, pod, real } = it;
    return index < room ? [{ hub: cluster.name, leaf, pod, real, mapped: unknownSource(cluster) + 1 + index }] : [];
  });
}

interface RequestedMapping extends Pick<ScopedIpMapping, 'leaf' | 'pod' | 'real'> {
  readonly hub: LabCluster;
  /** The pod's own address. */
  readonly address: number;
}

const podKey = ({ leaf, address }: RequestedMapping): string => `${leaf}/${address}`;

function requestedMappings(scope: LabScope, states: readonly LabScope[]): readonly RequestedMapping[] {
  const all = transits(scope, states);
  return scope.clusters.flatMap((hub) =>
    [...new Set(all.filter((it) => it.hub === hub).map((it) => it.to))].flatMap(({ cluster: leaf }) => {
      const views = hub.peers.get(leaf.name)?.podViews ?? [];
      return podAddresses(leaf).flatMap((address, pod) => {
        const view = views[pod];
        return view === undefined ? [] : [{ hub, leaf: leaf.name, pod, address, real: moveHost(address, view.seenAs) }];
      });
    }),
  );
}

/** The index of each gateway among those that its cluster has in any of the states, by peer. */
export function gatewayIndexes(cluster: string, states: readonly LabScope[]): ReadonlyMap<string, number> {
  const peers = states.flatMap((it) => it.clusters.filter((one) => one.cluster.name === cluster));
  const names = new Set(peers.flatMap((it) => [...it.peers.keys()]));
  return new Map([...names].map((it, index) => [it, index]));
}

// No cluster's name contains a dot, so all of these names differ.

export const UNDERLAY = 'underlay';

/**
 * Nodes of a cluster, by number. The first runs the gateways, the second the pods: so every packet passes both, and
 * answers to the unknown source must be routed to the node that opened the connection.
 */
export const NODES = [1, 2] as const;
export type NodeNumber = (typeof NODES)[number];
export const GATEWAY_NODE: NodeNumber = 1;
export const POD_NODE: NodeNumber = 2;

export const nodeNamespace = (cluster: string, node: NodeNumber): string => `${cluster}.node${node}`;

export const gatewayNamespace = (cluster: string, peer: string): string => `${cluster}.to.${peer}`;

/**
 * The device of a gateway to a node (`deviceToNode`), and of a node to a gateway; they replace Liqo's Geneve devices.
 */
export const deviceToNode = (node: NodeNumber): string => `liqo.node${node}`;
export const deviceToGateway = (index: number): string => `liqo.gw${index}`;

/** The underlay's device to the gateway with this index. */
export const deviceFromUnderlay = (index: number): string => `gw${index}`;

export const LOOPBACK = 'lo';

// Liqo assigns the addresses of the internal CIDR in ascending order, without the first and the last one.
// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/fabricipam.

/** The overlay address of a node; the lab also uses it as the node's own address. */
export const nodeAddress = (cluster: AddressedCluster, node: NodeNumber): number => cluster.internalCIDR.base + node;

/** The overlay address of the gateway with this index in its cluster, counted from 0. */
export const gatewayAddress = (cluster: AddressedCluster, index: number): number =>
  cluster.internalCIDR.base + NODES.length + 1 + index;

/**
 * Host bits, the same in every network, in which ones and zeros alternate irregularly: pods of clusters with equal pod
 * CIDRs then have equal addresses, so that a packet on the wrong path reaches the wrong pod.
 */
const HOST_BITS = 0x2d5a97;

/** The pods of a cluster in the lab, one per pod CIDR, by their real addresses. */
export const podAddresses = (cluster: AddressedCluster): readonly number[] =>
  cluster.podCIDRs.map((it) => podIn(it.value));

const podIn = ({ base, length }: Prefix): number => (base | (HOST_BITS & ~maskOf(length))) >>> 0;
