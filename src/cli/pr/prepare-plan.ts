import { bug } from '../../diagnostics/bug.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type Inspection, inspectTree } from '../../disk/tree/inspect-tree.ts';
import { type Plan, planChanges } from '../../plan/plan-changes.ts';
import { tooMuchRemoved } from '../../plan/removal-guard.ts';
import { removalDiagnostics } from '../../report/plan-diagnostics.ts';
import { asTyped, type CompiledTopology, compileTopology, type Destination, treeRequest } from '../compile-topology.ts';
import { findTopology, type TopologyFiles } from '../find-topology.ts';
import type { Host } from '../host.ts';
import { headState, readBase } from '../read-base.ts';
import { Refusal } from '../refusal.ts';
import type { PrRequest } from './pr-request.ts';

/** A topology with errors, or all there is to say about one without. The lock was decided in memory; nothing is written. */
export type Prepared =
  | { readonly kind: 'errors'; readonly files: TopologyFiles; readonly diagnostics: readonly Diagnostic[] }
  | PreparedPlan;

export interface PreparedPlan {
  readonly kind: 'planned';
  readonly files: TopologyFiles;
  readonly to: Destination;
  readonly diagnostics: readonly Diagnostic[];
  readonly result: NonNullable<CompiledTopology['result']>;
  /** What `weft compile` would do on this disk. */
  readonly tree: Inspection;
  readonly plan: Plan;
  /** Says so when more goes than anybody may mean. */
  readonly guard: readonly Diagnostic[];
}

export async function preparePlan(host: Host, request: PrRequest): Promise<Prepared> {
  const { cwd } = host;
  const files = await findTopology(cwd, request.topology, request.lock);
  const { diagnostics, result } = await compileTopology(cwd, files, { relock: [], only: null });
  if (result === null) return { kind: 'errors', files, diagnostics };
  const to: Destination = { cwd, out: request.out, only: null };
  const tree = await inspectTree(treeRequest(files, result, to));
  if (tree.kind === 'refused') {
    const lines = tree.problems.map((it) => `${asTyped(it.path, to)}: ${it.message}`);
    throw new Refusal(lines.join('\n'), tree.problems[0]?.hint);
  }
  const before = await readBase({ cwd, base: request.compareWith, out: request.out, files, now: result });
  const after = headState(result.compiled) ?? bug('the plan cannot read what compile emits');
  const plan = planChanges(before, after);
  const removals = request.allowDestroy ? [] : tooMuchRemoved(plan, request.maxRemoved);
  const guard = removalDiagnostics(removals, result.compiled.model.fleet.at);
  return { kind: 'planned', files, to, diagnostics, guard, result, tree, plan };
}
