import { countDiagnostics } from '../../../answers/report/count-diagnostics.ts';
import { planDiagnostics } from '../../../answers/report/plan/plan-diagnostics.ts';
import type { Remark } from '../../../answers/report/remark.ts';
import { isEmptyPlan } from '../../../plan/plan-changes.ts';
import { certificateWarnings } from '../../app/certificate-warnings.ts';
import { checkPullRequest } from '../../app/check-pull-request.ts';
import type { PlannedPullRequest } from '../../app/plan-pull-request.ts';
import { EXIT, type ExitCode } from '../host.ts';
import { formatIn, formatOf, reportDiagnostics } from '../report-diagnostics.ts';
import { systemClock } from '../system-clock.ts';
import { announce } from './announce.ts';
import { otherPlan } from './other-plan.ts';
import { type PullRequestRun, planText, summarise, writeCodeQuality, writeDocument } from './pull-request-run.ts';
import { type StepOutputs, writeOutputs } from './write-outputs.ts';

/** `weft pr check`: annotations, the page of the run, an exit code. Sends nothing. */
export async function runCheck(
  run: PullRequestRun,
  planned: PlannedPullRequest,
  outputs: StepOutputs,
): Promise<ExitCode> {
  const { host, options, ports, context, call } = run;
  const { plan, planId, topology, out } = planned;
  const checked = await checkPullRequest(ports.files, planned, context.headCommit);
  const { smuggled } = checked;
  const diagnostics = [...checked.diagnostics, ...certificateWarnings(topology, systemClock.now())];
  const isStale = call.current && !planned.isCurrent;
  const other = otherPlan(call, planned);
  const ok = countDiagnostics(diagnostics).errors === 0 && !isStale && other === undefined;
  const format = formatOf(options);
  // In GitHub, annotations show disruptive changes; in a terminal, the plan does.
  const stale = isStale ? [outOfDate(out, topology.files.topology)] : [];
  const remarks: readonly Remark[] = [...(other === undefined ? [] : [other]), ...stale];
  const disruptive = planDiagnostics(plan, topology.compiled.model);
  const breaking = ['github', 'gitlab', 'sarif'].includes(formatIn(host, options)) ? disruptive : [];
  await reportDiagnostics(host, options, [...diagnostics, ...breaking]);
  await writeCodeQuality(run, [...diagnostics, ...disruptive]);
  await announce(run, remarks);
  await summarise(run, { topology: topology.files.topology, remarks, diagnostics, plan });
  await writeOutputs(context, outputs);
  await writeDocument(run, { diagnostics, remarks, plan, planId }, { ok });
  // An empty plan would say that there is nothing to do.
  if (format === 'text' && !(isEmptyPlan(plan) && countDiagnostics(smuggled).errors > 0))
    await host.stdout.write(planText(run, plan));
  return ok ? EXIT.yes : EXIT.no;
}

const outOfDate = (out: string, topology: string): Remark => ({
  severity: 'error',
  message: `${out}/ is out of date with ${topology}`,
  hint: 'run "weft compile" and commit the result',
});
