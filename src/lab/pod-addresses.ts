import type { AddressedCluster } from '../ipam/addressed-model.ts';
import { maskOf, type Prefix } from '../net/prefix.ts';

/**
 * Host bits with ones and zeros all over, the same in every network: clusters with one pod CIDR then have pods with one
 * address, which only the right path tells apart.
 */
const HOST_BITS = 0x2d5a97;

/** The pods of a cluster in the lab, one a pod CIDR, by their real addresses. */
export const podAddresses = (cluster: AddressedCluster): readonly number[] =>
  cluster.podCIDRs.map((it) => podIn(it.value));

const podIn = ({ base, length }: Prefix): number => (base | (HOST_BITS & ~maskOf(length))) >>> 0;
