import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { removalDiagnostics } from '../report/plan/plan-diagnostics.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';
import type { Ports } from './ports.ts';
import { verifyEdited } from './verify-out.ts';

/** All mistakes of a planned pull request. Differences that an edit of the topology explains are none; a file that was edited
 * by hand may be one. */
export async function checkPullRequest(
  ports: Pick<Ports, 'files' | 'tree'>,
  { topology, out, tree, removals }: PlannedPullRequest,
): Promise<readonly Diagnostic[]> {
  const differing = [...tree.placements.map((it) => it.path), ...tree.removals, ...tree.keptEdited];
  const edited = await verifyEdited(ports, topology.compiled, { out, differing });
  return [...topology.diagnostics, ...removalDiagnostics(removals, topology.compiled.model.fleet.at), ...edited];
}
