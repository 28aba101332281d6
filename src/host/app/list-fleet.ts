import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type ListedCluster, listClusters } from '../../reach/view/list-clusters.ts';
import { type LiveLook, type NetworkPorts, type NetworkRequest, networkOf, type Unknown } from './network-of.ts';

type FleetList =
  | Unknown
  | {
      readonly kind: 'listed';
      readonly diagnostics: readonly Diagnostic[];
      readonly clusters: readonly ListedCluster[];
      /** `null` for what git has. */
      readonly live: LiveLook | null;
    };

/** The clusters of a network, as git has it or as clusters are. */
export async function listFleet(ports: NetworkPorts, request: NetworkRequest): Promise<FleetList> {
  const network = await networkOf(ports, request, []);
  if (network.kind !== 'compiled') return network;
  const { diagnostics, live, compiled } = network;
  return { kind: 'listed', diagnostics, live, clusters: listClusters(compiled.model) };
}
