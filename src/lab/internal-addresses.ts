import type { AddressedCluster } from '../ipam/addressed-model.ts';
import { NODES, type NodeNumber } from './lab-names.ts';

// Liqo hands out the internal CIDR one by one, the first and the last address excluded.
// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/fabricipam.

/** The overlay address of a node; the lab also takes it for the node's own. */
export const nodeAddress = (cluster: AddressedCluster, node: NodeNumber): number => cluster.internalCIDR.base + node;

/** The overlay address of the gateway with that number in its cluster, counted from 0. */
export const gatewayAddress = (cluster: AddressedCluster, index: number): number =>
  cluster.internalCIDR.base + NODES.length + 1 + index;
