import { printPrefix } from '../../base/net/text.ts';
import { CONFIGURED_LABEL } from '../../base/releases/labels.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import { lowerConfiguration, remoteNetworks, seenNetworks } from './lower-configuration.ts';
import type { Manifest } from './manifest.ts';
import { aboutPeer } from './names.ts';

/**
 * The Configuration after Liqo has completed it: with the cluster's own networks in `spec.local` and with the views in its
 * status. Liqo lists several own pod CIDRs in an order that differs from start to start, so that order means nothing.
 * Since 1.2 readiness is a condition, which is left out: its schema requires the time of the transition, which is unknown
 * at compile time. Before 1.2 readiness is a label.
 * Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/configuration/configuration_controller.go.
 */
export function expectedConfiguration(cluster: AddressedCluster, peer: Peer): Manifest {
  const configured = cluster.traits.reportsReadinessAsCondition ? {} : { [CONFIGURED_LABEL]: 'true' };
  return {
    ...lowerConfiguration(peer),
    metadata: aboutPeer(peer, 'configuration', configured),
    spec: {
      local: {
        cidr: {
          pod: cluster.podCIDRs.map((it) => printPrefix(it.value)),
          external: [printPrefix(cluster.externalCIDR)],
        },
      },
      remote: remoteNetworks(peer),
    },
    status: { remote: seenNetworks(peer) },
  };
}
