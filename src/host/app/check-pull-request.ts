import { removalDiagnostics } from '../../answers/report/plan/plan-diagnostics.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { checkProvenance } from './check-provenance.ts';
import { OperationRefused } from './operation-refused.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';
import type { FileReader } from './ports.ts';

interface CheckedPullRequest {
  /** All mistakes and remarks. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them about files that neither the topology nor the base explains. */
  readonly smuggled: readonly Diagnostic[];
}

/**
 * All mistakes of a planned pull request. Differences that an edit of the topology explains are none.
 *
 * @param pullHead the newest commit of the pull request, if the event of the run names it
 */
export async function checkPullRequest(
  files: FileReader,
  planned: PlannedPullRequest,
  pullHead: string | undefined,
): Promise<CheckedPullRequest> {
  const { topology, tree, removals } = planned;
  const smuggled = await checkProvenance(files, { ...planned, pullHead });
  // What blocks the bundles and was smuggled in has an error with a place already.
  if (tree.kind === 'refused' && !smuggled.some((it) => it.severity === 'error'))
    throw new OperationRefused({ kind: 'bundles-blocked', problems: tree.problems });
  const removed = removalDiagnostics(removals, topology.compiled.model.fleet.at);
  return { diagnostics: [...smuggled, ...topology.diagnostics, ...removed], smuggled };
}
