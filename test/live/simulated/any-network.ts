import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { releaseOf, type TopologySpec } from '../../laws/topology-spec.ts';
import type { ReleaseLine } from './objects.ts';

/**
 * Only the network is simulated, with the allocators of the releases that have one; no namespaces of applications, and no fences,
 * which an import does not infer.
 */
export const anyNetwork = arbitraryFleet({ maxClusters: 6 })
  .filter((it) => it.releases !== 'best-fit')
  .map(({ spec: { sharing: _, offloading: __, boundaries: ___, clusters, ...spec } }): TopologySpec => {
    const open = Object.entries(clusters).map(([name, { boundary: ____, ...it }]) => [name, it] as const);
    return { ...spec, clusters: Object.fromEntries(open) };
  });

export const releasesOf = (spec: TopologySpec) => (cluster: string) => releaseOf(spec, cluster) as ReleaseLine;
