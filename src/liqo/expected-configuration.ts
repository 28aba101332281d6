import type { AddressedCluster, Peer } from '../ipam/addressed-model.ts';
import { printPrefix } from '../net/text.ts';
import { CONFIGURED_LABEL } from '../releases/labels.ts';
import { lowerConfiguration } from './lower-configuration.ts';
import type { Manifest } from './manifest.ts';
import { aboutRemote } from './names.ts';

/**
 * The Configuration after Liqo has completed it. Since 1.2 readiness is a condition, which is left out: its schema
 * requires the time of the transition, which is unknown at compile time. Before 1.2 readiness is a label.
 */
export function expectedConfiguration(cluster: AddressedCluster, peer: Peer): Manifest {
  const configured = cluster.traits.reportsReadinessAsCondition ? {} : { [CONFIGURED_LABEL]: 'true' };
  return {
    ...lowerConfiguration(peer),
    metadata: aboutRemote(peer.name, configured),
    status: {
      remote: {
        cidr: {
          pod: peer.podViews.map((it) => printPrefix(it.seenAs)),
          external: [printPrefix(peer.externalView.seenAs)],
        },
      },
    },
  };
}
