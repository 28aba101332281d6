import { bug } from '../diagnostics/bug.ts';
import type { AddressedCluster } from '../ipam/addressed-model.ts';
import { lastAddress } from '../net/prefix.ts';

/** Which host of the first pod CIDR stands for a cluster: none that a CNI gives to its bridge or keeps for itself. */
const HOST = 10;

/** The address that stands for all pods of a cluster: the tenth of its first pod CIDR, or the last where it has fewer. */
export function representativePod({ name, podCIDRs }: AddressedCluster): number {
  const first = podCIDRs[0]?.value ?? bug(`"${name}" has no pod CIDR`);
  return Math.min(first.base + HOST, lastAddress(first));
}
