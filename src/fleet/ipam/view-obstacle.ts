import { overlaps, type Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { Cluster } from '../model/network-model.ts';
import type { View } from './addressed-model.ts';

/** Why a cluster cannot see a CIDR as a network, which no peer has there: `its length is not /16`. */
export function viewObstacle(
  cluster: Cluster,
  own: { readonly externalCIDR: Prefix; readonly internalCIDR: Prefix },
  { cidr, seenAs }: Pick<View, 'cidr' | 'seenAs'>,
): string {
  if (seenAs.length !== cidr.length) return `its length is not /${cidr.length}`;
  const ownNetworks: readonly (readonly [string, Prefix])[] = [
    ...cluster.podCIDRs.map((it) => ['pod CIDR', it.value] as const),
    ['service CIDR', cluster.serviceCIDR.value],
    ...cluster.reserved.map((it) => ['reserved network', it.value] as const),
    ['external CIDR', own.externalCIDR],
    ['internal CIDR', own.internalCIDR],
  ];
  const other = ownNetworks.find(([, it]) => overlaps(it, seenAs));
  return other ? `it overlaps the cluster's own ${other[0]} ${printPrefix(other[1])}` : 'it lies in none of its pools';
}
