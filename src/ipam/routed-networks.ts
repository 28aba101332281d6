import { OverlapIndex } from '../net/overlap-index.ts';
import type { Prefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import { type AddressedCluster, viewsOf } from './addressed-model.ts';

/** What a cluster does not route to the outside, each network in words: `its own pod CIDR 10.1.0.0/16`. */
export type RoutedNetworks = OverlapIndex<string>;

/** The networks that a cluster routes into itself or into a tunnel. */
export function routedNetworks(cluster: AddressedCluster): RoutedNetworks {
  const index = new OverlapIndex<string>();
  for (const [role, prefix] of ownNetworks(cluster)) index.add(prefix, `its own ${role} ${printPrefix(prefix)}`);
  for (const peer of cluster.peers.values()) {
    for (const { seenAs } of viewsOf(peer)) index.add(seenAs, `${printPrefix(seenAs)}, where it sees "${peer.name}"`);
  }
  return index;
}

const ownNetworks = (cluster: AddressedCluster): readonly (readonly [role: string, prefix: Prefix])[] => [
  ...cluster.podCIDRs.map((it) => ['pod CIDR', it.value] as const),
  ['service CIDR', cluster.serviceCIDR.value],
  ['external CIDR', cluster.externalCIDR],
  ['internal CIDR', cluster.internalCIDR],
];
