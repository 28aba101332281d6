import type { Compiled } from '../../compile.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import type { Removal } from '../../plan/removal-guard.ts';
import type { Inspection, RefusedTree } from '../disk/tree/inspect-tree.ts';
import { digestOf } from '../forge/find-edits.ts';
import { treeRequest } from './compile-fleet.ts';
import type { CompiledTopology, ReadyTopology } from './compile-topology.ts';
import { type PlannedSides, type PlanRequest, planFleet } from './plan-fleet.ts';
import type { Ports } from './ports.ts';
import type { Base } from './read-base.ts';

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

/** Hexadecimal characters: 128 bits, so that nobody finds two plans with one id. */
const LENGTH = 32;

/**
 * Identifies what a plan writes: each file that it adds, changes or removes, with its new text, and the lock before and after.
 * It names no branch, no commit and no run, so the plan that lands has the id of the one that was reviewed, unless the topology,
 * the lock or the bundles are others by then.
 */
async function planId({ fleet, files, lock }: Plan, { bundle }: Pick<Compiled, 'bundle'>): Promise<string> {
  const lines = [JSON.stringify([fleet, lock.before, lock.after])];
  for (const { path, change } of files) {
    const text = bundle.get(path);
    lines.push(JSON.stringify([path, change, text === undefined ? null : await digestOf(text)]));
  }
  return (await digestOf(lines.join('\n'))).slice(0, LENGTH);
}
