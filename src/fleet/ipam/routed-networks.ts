import { OverlapIndex } from '../../base/net/overlap-index.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedCluster, viewsOf } from './addressed-model.ts';

/** A network that a cluster does not route to the outside: its own, or where it sees a peer. */
interface RoutedNetwork {
  readonly prefix: Prefix;
  readonly is: { readonly own: string } | { readonly viewOf: string };
}

export type RoutedNetworks = OverlapIndex<RoutedNetwork>;

/** The networks that a cluster routes into itself or into a tunnel. */
export function routedNetworks(cluster: AddressedCluster): RoutedNetworks {
  const index: RoutedNetworks = new OverlapIndex();
  for (const it of ownNetworks(cluster)) index.add(it.prefix, it);
  for (const peer of cluster.peers.values()) {
    const is = { viewOf: peer.name };
    for (const { seenAs } of viewsOf(peer)) index.add(seenAs, { prefix: seenAs, is });
  }
  return index;
}

/** In words: `its own pod CIDR 10.1.0.0/16`. */
export const describeRouted = ({ prefix, is }: RoutedNetwork): string =>
  'own' in is ? `its own ${is.own} ${printPrefix(prefix)}` : `${printPrefix(prefix)}, where it sees "${is.viewOf}"`;

const ownNetworks = (cluster: AddressedCluster): readonly RoutedNetwork[] => [
  ...cluster.podCIDRs.map((it) => ({ prefix: it.value, is: { own: 'pod CIDR' } })),
  { prefix: cluster.serviceCIDR.value, is: { own: 'service CIDR' } },
  { prefix: cluster.externalCIDR, is: { own: 'external CIDR' } },
  { prefix: cluster.internalCIDR, is: { own: 'internal CIDR' } },
];
