import type { ObservedCluster } from '../../observed/observed-cluster.ts';
import type { ClusterSpec, Topology } from '../../schema-types/topology.ts';
import type { ImportedFleet } from '../imported-fleet.ts';
import { type ImportedSharing, inferSharing } from './infer-sharing.ts';

/** An imported fleet with what its clusters lend to each other, and what the files beside the topology record of it. */
export interface SharedFleet extends ImportedFleet, Pick<ImportedSharing, 'authentication' | 'identities'> {}

export function withSharing(fleet: ImportedFleet, clusters: readonly ObservedCluster[]): SharedFleet {
  const { topology } = fleet;
  const found = inferSharing(clusters, new Set(Object.keys(topology.clusters ?? {})));
  const { sharing, offloading, apiServers, authentication, identities, findings } = found;
  const shared: Topology = {
    ...topology,
    clusters: Object.fromEntries(
      Object.entries(topology.clusters ?? {}).map(([name, spec]) => [name, withApiServer(spec, apiServers.get(name))]),
    ),
    ...(sharing.length === 0 ? {} : { sharing: [...sharing] }),
    ...(offloading.length === 0 ? {} : { offloading: [...offloading] }),
  };
  return { ...fleet, topology: shared, authentication, identities, findings: [...fleet.findings, ...findings] };
}

const withApiServer = <T extends ClusterSpec | null | undefined>(spec: T, apiServer: ClusterSpec['apiServer']) =>
  apiServer === undefined ? spec : { ...spec, apiServer };
