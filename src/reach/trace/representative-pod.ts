import { bug } from '../../base/diagnostics/bug.ts';
import { lastAddress } from '../../base/net/prefix.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';

/** The host of the first pod CIDR that represents a cluster: CNIs assign lower ones to bridges or reserve them. */
const HOST = 10;

/**
 * The address that represents all pods of a cluster: the tenth of its first pod CIDR, or the last where it has fewer.
 */
export function representativePod({ name, podCIDRs }: AddressedCluster): number {
  const first = podCIDRs[0]?.value ?? bug(`"${name}" has no pod CIDR`);
  return Math.min(first.base + HOST, lastAddress(first));
}
