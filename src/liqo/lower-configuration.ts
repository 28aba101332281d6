import type { Peer } from '../ipam/addressed-model.ts';
import { printPrefix } from '../net/text.ts';
import { NETWORKING_API } from '../releases/api-versions.ts';
import type { Manifest } from './manifest.ts';
import { aboutRemote } from './names.ts';

/**
 * What the remote cluster really uses. `spec.local` is left out: Liqo's controller fills it in from the statuses of the
 * local Networks, and a value of ours could only differ.
 */
export function lowerConfiguration(peer: Peer): Manifest {
  return {
    apiVersion: NETWORKING_API,
    kind: 'Configuration',
    metadata: aboutRemote(peer.name),
    spec: {
      remote: {
        cidr: {
          pod: peer.podViews.map((it) => printPrefix(it.cidr)),
          external: [printPrefix(peer.externalView.cidr)],
        },
      },
    },
  };
}
