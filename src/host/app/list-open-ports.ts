import { type Opening, openingsBetween, openingsOf, type Sources } from '../../reach/ports/openings.ts';
import { type Answered, compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

interface OpenPortsRequest extends TopologyRequest {
  /** One or two clusters; empty for the whole fleet. */
  readonly clusters: readonly string[];
  readonly sources: Sources;
}

interface ListedPorts extends Answered<'listed'> {
  readonly fleet: string;
  readonly openings: readonly Opening[];
}

/** Lists the traffic that firewalls between the clusters of a fleet must allow. */
export async function listOpenPorts(files: FileReader, request: OpenPortsRequest): Promise<Unanswered | ListedPorts> {
  const { clusters, sources } = request;
  const settings = { only: [], clusters: [...clusters, ...sources.keys()], withoutAssertions: true };
  const topology = await compileTopology(files, request, settings);
  if (topology.kind !== 'compiled') return topology;
  const { model, inputs } = topology.compiled;
  const openings = openingsBetween(openingsOf(model, { sources, decisions: inputs.decisions }), clusters);
  const [cluster, peer] = clusters;
  if (openings.length === 0 && cluster !== undefined && peer !== undefined) {
    return { kind: 'refused', refusal: { kind: 'nothing-open', cluster, peer } };
  }
  return {
    kind: 'listed',
    diagnostics: topology.diagnostics,
    fleet: model.fleet.name,
    openings,
  };
}
