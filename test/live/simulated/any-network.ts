import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { releaseOf, type TopologySpec } from '../../laws/topology-spec.ts';
import type { ReleaseLine } from './objects.ts';

/** Only the network is simulated, with the allocators of the releases that have one; no loans, and no namespaces that are offloaded. */
export const anyNetwork = arbitraryFleet({ maxClusters: 6 })
  .filter((it) => it.releases !== 'best-fit')
  .map(({ spec: { sharing: _, offloading: __, ...spec } }): TopologySpec => spec);

export const releasesOf = (spec: TopologySpec) => (cluster: string) => releaseOf(spec, cluster) as ReleaseLine;
