import {
  type FleetFacts,
  factsNear,
  factsOfModel,
  factsOfPlan,
  groupingLabel,
} from '../../answers/graph/fleet-facts.ts';
import type { FleetGraph } from '../../answers/graph/fleet-graph.ts';
import { foldFleet, MOST_BOXES } from '../../answers/graph/fold-fleet.ts';
import { sortedUnique, valueAt } from '../../base/core/collections.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { failedClusters, without } from '../../reach/whatif/parts.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import { type PlanPorts, type PlanRequest, planFleet } from './plan-fleet.ts';
import type { Refusal } from './refusal.ts';
import { namedParts } from './what-if-fleet.ts';

interface GraphRequest extends TopologyRequest {
  /** Draws only these clusters with their neighbours; empty for the whole fleet. */
  readonly clusters: readonly string[];
  /** The label by which clusters are grouped; `undefined` for a usual label that is present. */
  readonly label: string | undefined;
  /** Parts that are drawn as off, as the user writes them. */
  readonly without: readonly string[];
  /** Draws only the changes of this plan; `null` draws the fleet as declared. */
  readonly plan: PlanRequest | null;
}

type GraphResult = Unanswered | { readonly kind: 'drawn'; readonly graph: FleetGraph };

/** Draws a fleet, a part of it, or the changes of a plan. */
export async function graphFleet(ports: PlanPorts, request: GraphRequest): Promise<GraphResult> {
  const { clusters, plan } = request;
  const result = plan === null ? await declared(ports, request) : await planFleet(ports, plan);
  if (result.kind !== 'compiled' && result.kind !== 'planned') return result;
  const model = result.kind === 'compiled' ? result.compiled.model : result.topology.compiled.model;
  const parts = namedParts(model, request.without);
  if (!parts.ok) return { kind: 'refused', refusal: parts.refusal };
  const reduced = { model: without(model, parts.parts), off: failedClusters(parts.parts) };
  const facts = factsIn(reduced, request, result.kind === 'compiled' ? null : result.plan);
  if ('kind' in facts) return { kind: 'refused', refusal: facts };
  const shown = clusters.length === 0 ? facts : factsNear(facts, clusters);
  return { kind: 'drawn', graph: foldFleet(shown, { title: model.fleet.name, most: MOST_BOXES }) };
}

const declared = ({ files }: PlanPorts, request: GraphRequest) =>
  compileTopology(files, request, { only: [], clusters: request.clusters, withoutAssertions: true });

interface Reduced {
  readonly model: SharedModel;
  readonly off: ReadonlySet<string>;
}

function factsIn({ model, off }: Reduced, { clusters, label }: GraphRequest, plan: Plan | null): FleetFacts | Refusal {
  const labels = sortedUnique([...model.clusters.values()].flatMap((it) => Object.keys(it.labels)));
  if (label !== undefined && !labels.includes(label)) return { kind: 'unknown-label', label, known: labels };
  const by = label ?? groupingLabel(labels);
  if (plan === null) return factsOfModel(model, by, off);
  const facts = factsOfPlan(plan, (name) =>
    by === null ? null : (valueAt(model.clusters.get(name)?.labels ?? {}, by) ?? null),
  );
  const known = sortedUnique([...model.clusters.keys(), ...facts.clusters.map((it) => it.name)]);
  const name = clusters.find((it) => !known.includes(it));
  return name === undefined ? facts : { kind: 'unknown-cluster', name, known };
}
