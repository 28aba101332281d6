import { treeRequest } from '../../app/compile-fleet.ts';
import type { ReadyTopology } from '../../app/compile-topology.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import type { TopologyFiles } from '../../app/find-topology.ts';
import { planFleet } from '../../app/plan-fleet.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Inspection } from '../../disk/tree/inspect-tree.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { Host } from '../../front/host.ts';
import { refused } from '../../front/refused.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { removalDiagnostics } from '../../report/plan/plan-diagnostics.ts';
import type { PrRequest } from './pr-request.ts';

/** A topology with errors, or all there is to say about one without. The lock was decided in memory; nothing is written. */
export type Prepared =
  | { readonly kind: 'errors'; readonly files: TopologyFiles; readonly diagnostics: readonly Diagnostic[] }
  | PreparedPlan;

export interface PreparedPlan {
  readonly kind: 'planned';
  readonly files: TopologyFiles;
  readonly to: { readonly cwd: string; readonly out: string; readonly only: null };
  readonly diagnostics: readonly Diagnostic[];
  readonly result: ReadyTopology;
  /** What `weft compile` would do on this disk. */
  readonly tree: Inspection;
  readonly plan: Plan;
  /** Says so when more goes than anybody may mean. */
  readonly guard: readonly Diagnostic[];
}

export async function preparePlan(host: Host, request: PrRequest): Promise<Prepared> {
  const { cwd } = host;
  const ports = diskPorts(cwd);
  const planned = await planFleet(ports.files, { ...request, base: request.compareWith });
  if (planned.kind === 'refused') throw refused(planned.refusal);
  if (planned.kind === 'errors') return planned;
  const { topology, diagnostics, plan, removals } = planned;
  const to = { cwd, out: request.out, only: null };
  const tree = await ports.tree.inspect(treeRequest(topology, to));
  if (tree.kind === 'refused') {
    const lines = tree.problems.map((it) => `${it.path}: ${it.message}`);
    throw new CommandFailure(lines.join('\n'), tree.problems[0]?.hint);
  }
  const guard = removalDiagnostics(removals, topology.compiled.model.fleet.at);
  return { kind: 'planned', files: topology.files, to, diagnostics, guard, result: topology, tree, plan };
}
