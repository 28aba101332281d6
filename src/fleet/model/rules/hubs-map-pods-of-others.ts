import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Cluster } from '../network-model.ts';
import type { ModelRule, ResolvedLinks } from '../resolved-links.ts';

/**
 * Platforms on which Liqo documents that addresses outside the cluster cannot be mapped. A hub maps the pods of one spoke
 * for another in the same block; whether that works there, nobody has measured.
 * Source: liqotech/liqo@v1.2.0 docs/installation/compatibility.md (ExternalIPRemapping).
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

/** Whether two spokes of a hub have no link to each other. */
function forwards(hub: Cluster, { model, served }: ResolvedLinks): boolean {
  const spokes = new Set([...model.clusters.values()].filter((it) => it.hubs.includes(hub.name)).map((it) => it.name));
  const direct = served.filter(({ server, client }) => spokes.has(server.name) && spokes.has(client.name));
  return direct.length < (spokes.size * (spokes.size - 1)) / 2;
}
