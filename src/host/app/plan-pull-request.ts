import type { Plan } from '../../plan/plan-changes.ts';
import type { Removal } from '../../plan/removal-guard.ts';
import type { Inspection, RefusedTree } from '../disk/tree/inspect-tree.ts';
import { treeRequest } from './compile-fleet.ts';
import type { CompiledTopology, ReadyTopology } from './compile-topology.ts';
import type { Base } from './open-base.ts';
import { type PlannedSides, type PlanRequest, planFleet } from './plan-fleet.ts';
import { planId } from './plan-id.ts';
import type { Ports } from './ports.ts';

export type PullRequestPlan = Exclude<CompiledTopology, ReadyTopology> | PlannedPullRequest;

/** All results for a topology without errors. The lock was decided in memory; nothing is written. */
export interface PlannedPullRequest {
  readonly kind: 'planned';
  readonly topology: ReadyTopology;
  /** Folder of the bundles. */
  readonly out: string;
  /** The base of the plan. */
  readonly base: Base;
  /** What `weft compile` would do on this disk, or why it would refuse. */
  readonly tree: Inspection | RefusedTree;
  /** Whether `weft compile` would do nothing. */
  readonly isCurrent: boolean;
  readonly plan: Plan;
  /** Identifies what the plan writes. */
  readonly planId: string;
  /** More clusters or links would be removed than the request allows. */
  readonly removals: readonly Removal[];
  readonly sides: PlannedSides;
}

/** Plans, and compares with the bundles on disk: how every mode of `weft pr` begins. */
export async function planPullRequest(
  ports: Pick<Ports, 'files' | 'tree'>,
  request: PlanRequest,
): Promise<PullRequestPlan> {
  const planned = await planFleet(ports, request);
  if (planned.kind !== 'planned') return planned;
  const { topology, plan, removals, sides } = planned;
  const { out, base } = request;
  const tree = await ports.tree.inspect(treeRequest(topology, { out, only: null }));
  const id = await planId(plan, topology.compiled);
  return { kind: 'planned', topology, out, base, tree, isCurrent: isCurrent(tree), plan, planId: id, removals, sides };
}

const isCurrent = (tree: Inspection | RefusedTree): boolean =>
  tree.kind === 'possible' &&
  tree.placements.length + tree.removals.length === 0 &&
  tree.changedRecords.length === 0 &&
  !tree.lockChanged;
