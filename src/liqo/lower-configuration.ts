import type { Peer } from '../ipam/addressed-model.ts';
import { printPrefix } from '../net/text.ts';
import { NETWORKING_API } from '../releases/api-versions.ts';
import type { Field, Manifest } from './manifest.ts';
import { aboutPeer } from './names.ts';

/**
 * The CIDRs that the remote cluster uses itself. `spec.local` is left out: Liqo's controller sets it from the statuses
 * of the local Networks.
 */
export function lowerConfiguration(peer: Peer): Manifest {
  return {
    apiVersion: NETWORKING_API,
    kind: 'Configuration',
    metadata: aboutPeer(peer, 'configuration'),
    spec: { remote: remoteNetworks(peer) },
  };
}

/** What the remote cluster announces. */
export const remoteNetworks = (peer: Peer): Field => ({
  cidr: {
    pod: peer.podViews.map((it) => printPrefix(it.cidr)),
    external: [printPrefix(peer.externalView.cidr)],
  },
});
