import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A link joins two different clusters, and `server` and `names` name only these. */
export const linksJoinTwoClusters: TopologyRule = function* (topology) {
  for (const link of [...topology.peerings, ...topology.shortcuts]) {
    const [a, b] = link.between;
    if (a.value === b.value) {
      yield diagnostic('topology/self-link', b.at, `"${a.value}" is linked to itself`, {
        hint: 'name two different clusters',
        related: [{ message: 'the same cluster is named here', span: a.at }],
      });
      continue;
    }
    const ends = `"${a.value}" or "${b.value}"`;
    const named = [
      ...(link.server ? [{ ...link.server, hint: `set \`server\` to ${ends}` }] : []),
      ...link.names.map((it) => ({
        ...it.cluster,
        hint: `write the names below ${ends}, the cluster that has the objects`,
      })),
    ];
    for (const { value, at, hint } of named) {
      if (value === a.value || value === b.value) continue;
      yield diagnostic('topology/unknown-end', at, `"${value}" is not an end of this link`, { hint });
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
