import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { NODES, type NodeNumber } from './lab-names.ts';

// Liqo assigns the addresses of the internal CIDR in ascending order, without the first and the last one.
// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/fabricipam.

/** The overlay address of a node; the lab also uses it as the node's own address. */
export const nodeAddress = (cluster: AddressedCluster, node: NodeNumber): number => cluster.internalCIDR.base + node;

/** The overlay address of the gateway with that number in its cluster, counted from 0. */
export const gatewayAddress = (cluster: AddressedCluster, index: number): number =>
  cluster.internalCIDR.base + NODES.length + 1 + index;
