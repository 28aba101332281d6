import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { areOfOneLine } from '../../../base/releases/release.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { Span } from '../../../base/source/source.ts';
import type { ModelRule, ResolvedLinks } from '../link-stages.ts';
import type { Cluster } from '../network-model.ts';

/** Both ends of a link run the same release line. */
export const peersRunOneRelease: ModelRule = function* ({ served }) {
  for (const { link, server, client } of served) {
    if (areOfOneLine(server.release, client.release)) continue;
    yield diagnostic(
      'topology/version-skew',
      link.at,
      `"${server.name}" runs Liqo ${server.release.version} and "${client.name}" ${client.release.version}`,
      {
        about: [[server.name, client.name]],
        hint: 'upgrade them together, since Liqo is tested with equal releases; each end gets the objects of its own',
      },
    );
  }
};

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

/**
 * Platforms on which Liqo documents that addresses outside the cluster cannot be mapped. A hub maps the pods of one
 * spoke for another in the same block; it is untested whether that works there. Source: liqotech/liqo@v1.2.0
 * docs/installation/compatibility.md (ExternalIPRemapping).
 */
const DOUBTFUL: readonly string[] = ['eks', 'aks-kubenet', 'aks-overlay'];

/** Spokes without a link of their own reach each other through a hub that can map addresses. */
export const hubsMapPodsOfOthers: ModelRule = function* (resolved) {
  for (const hub of resolved.model.clusters.values()) {
    const platform = hub.platform;
    if (platform === null || hub.retired || !DOUBTFUL.includes(platform.value) || !forwards(hub, resolved)) continue;
    const message = `spokes of "${hub.name}" reach each other through it, and Liqo documents no mapping of external addresses on ${platform.value}`;
    yield diagnostic('link/hub-transit-untested', platform.at, message, {
      about: [[hub.name]],
      hint: 'try it between two spokes first, add shortcuts, or make a cluster on another platform the hub',
    });
  }
};

/** True when two spokes of a hub have no link to each other. */
function forwards(hub: Cluster, { model, served }: ResolvedLinks): boolean {
  const spokes = new Set([...model.clusters.values()].filter((it) => it.hubs.includes(hub.name)).map((it) => it.name));
  const direct = served.filter(({ server, client }) => spokes.has(server.name) && spokes.has(client.name));
  return direct.length < (spokes.size * (spokes.size - 1)) / 2;
}
