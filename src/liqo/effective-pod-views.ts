import type { AddressedCluster, Peer, View } from '../ipam/addressed-model.ts';

/**
 * The views that a cluster really makes of a peer's pods. Before 1.2 Liqo looks at the first pod CIDR of a Configuration
 * and no further. Source: liqotech/liqo@v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration.
 */
export function effectivePodViews({ traits }: AddressedCluster, { podViews }: Peer): readonly View[] {
  return traits.remapsEveryPodCIDR ? podViews : podViews.slice(0, 1);
}
