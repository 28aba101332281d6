import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Cluster } from '../network-model.ts';
import type { ModelRule } from '../resolved-links.ts';

/**
 * Every peer of a cluster with several pod CIDRs reads all of them. Before 1.2 a cluster reads only the first, and the
 * pods in the others cannot reach it.
 * Source: liqotech/liqo@v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration.
 */
export const peersReadEveryPodCidr: ModelRule = function* ({ served }) {
  for (const { link, server, client } of served) {
    yield* unreadPodCIDRs(server, client, link.at);
    yield* unreadPodCIDRs(client, server, link.at);
  }
};

function* unreadPodCIDRs(peer: Cluster, viewer: Cluster, at: Span): Iterable<Diagnostic> {
  const second = peer.podCIDRs[1];
  if (!second || viewer.traits.remapsEveryPodCIDR || !peer.traits.takesSeveralPodCIDRs) return;
  yield diagnostic(
    'topology/several-pod-cidrs',
    second.at,
    `"${peer.name}" has ${peer.podCIDRs.length} pod CIDRs, and its peer "${viewer.name}" runs Liqo ${viewer.release.version}, which uses only the first`,
    {
      hint: `upgrade "${viewer.name}" to ${firstLineWith('remapsEveryPodCIDR')}, or give "${peer.name}" one pod CIDR`,
      related: [{ message: 'the link between them is declared here', span: at }],
    },
  );
}
