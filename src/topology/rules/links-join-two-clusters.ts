import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A link joins two different clusters, and `server` names one of them. */
export const linksJoinTwoClusters: TopologyRule = function* (topology) {
  for (const link of [...topology.peerings, ...topology.shortcuts]) {
    const [a, b] = link.between;
    if (a.value === b.value) {
      yield diagnostic('topology/self-link', b.at, `"${a.value}" is linked to itself`, {
        hint: 'name two different clusters',
        related: [{ message: 'the same cluster is named here', span: a.at }],
      });
    } else if (link.server && link.server.value !== a.value && link.server.value !== b.value) {
      yield diagnostic('topology/unknown-end', link.server.at, `"${link.server.value}" is not an end of this link`, {
        hint: `set \`server\` to "${a.value}" or "${b.value}"`,
      });
    }
  }
  for (const cluster of topology.clusters) {
    for (const hub of cluster.hubs ?? []) {
      if (hub.value !== cluster.name) continue;
      yield diagnostic('topology/self-link', hub.at, `"${cluster.name}" is its own hub`, {
        hint: 'name another cluster, or set `hub: []` for a cluster without a hub',
      });
    }
  }
};
