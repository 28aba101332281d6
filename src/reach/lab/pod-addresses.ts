import { maskOf, type Prefix } from '../../base/net/prefix.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';

/**
 * Host bits, the same in every network, in which ones and zeros alternate irregularly: pods of clusters with equal pod
 * CIDRs then have equal addresses, so that a packet on the wrong path reaches the wrong pod.
 */
const HOST_BITS = 0x2d5a97;

/** The pods of a cluster in the lab, one per pod CIDR, by their real addresses. */
export const podAddresses = (cluster: AddressedCluster): readonly number[] =>
  cluster.podCIDRs.map((it) => podIn(it.value));

const podIn = ({ base, length }: Prefix): number => (base | (HOST_BITS & ~maskOf(length))) >>> 0;
