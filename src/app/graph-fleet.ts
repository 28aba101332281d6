import { sortedUnique } from '../core/order.ts';
import { factsNear } from '../graph/facts-near.ts';
import { factsOfModel } from '../graph/facts-of-model.ts';
import type { FleetGraph } from '../graph/fleet-graph.ts';
import { foldFleet } from '../graph/fold-fleet.ts';
import { groupingLabel } from '../graph/grouping-label.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

interface GraphRequest extends TopologyRequest {
  /** Only these clusters with their neighbours; empty for the whole fleet. */
  readonly clusters: readonly string[];
  /** The label that clusters are grouped by; `undefined` for a usual one that is there. */
  readonly label: string | undefined;
}

type GraphResult = Unanswered | { readonly kind: 'drawn'; readonly graph: FleetGraph };

/** Boxes of a picture that a reader can still look at one by one. */
const MOST_BOXES = 60;

/** The picture of a fleet, or of a part of it. */
export async function graphFleet(files: FileReader, request: GraphRequest): Promise<GraphResult> {
  const { clusters, label } = request;
  const topology = await compileTopology(files, request, { only: [], clusters, withoutAssertions: true });
  if (topology.kind !== 'compiled') return topology;
  const { model } = topology.compiled;
  const labels = sortedUnique([...model.clusters.values()].flatMap((it) => Object.keys(it.labels)));
  if (label !== undefined && !labels.includes(label)) {
    return { kind: 'refused', refusal: { kind: 'unknown-label', label, known: labels } };
  }
  const facts = factsOfModel(model, label ?? groupingLabel(labels));
  const shown = clusters.length === 0 ? facts : factsNear(facts, clusters);
  return { kind: 'drawn', graph: foldFleet(shown, { title: model.fleet.name, most: MOST_BOXES }) };
}
