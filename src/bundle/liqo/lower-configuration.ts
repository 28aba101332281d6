import { printPrefix } from '../../base/net/text.ts';
import { NETWORKING_API } from '../../base/releases/api-versions.ts';
import { VIEW_ANNOTATIONS } from '../../base/releases/labels.ts';
import type { Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Field, Manifest } from './manifest.ts';
import { aboutPeer } from './names.ts';

/**
 * The CIDRs that the remote cluster uses itself. `spec.local` is left out: Liqo's controller sets it from the statuses
 * of the local Networks. The annotations are the views that Liqo has to answer: a status is not applied, so they are how the
 * health checks of GitOps tools know them.
 */
export function lowerConfiguration(peer: Peer): Manifest {
  const views = seenNetworks(peer).cidr;
  return {
    apiVersion: NETWORKING_API,
    kind: 'Configuration',
    metadata: {
      ...aboutPeer(peer, 'configuration'),
      annotations: {
        [VIEW_ANNOTATIONS.external]: views.external.join(','),
        [VIEW_ANNOTATIONS.pod]: views.pod.join(','),
      },
    },
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

/** What the cluster calls these CIDRs, in the same order. */
export const seenNetworks = (peer: Peer) => ({
  cidr: {
    pod: peer.podViews.map((it) => printPrefix(it.seenAs)),
    external: [printPrefix(peer.externalView.seenAs)],
  },
});
