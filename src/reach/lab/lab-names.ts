import { maskOf, type Prefix } from '../../base/net/prefix.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';

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
