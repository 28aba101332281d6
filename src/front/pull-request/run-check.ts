import { checkPullRequest } from '../../app/check-pull-request.ts';
import type { PlannedPullRequest } from '../../app/plan-pull-request.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { planDiagnostics } from '../../report/plan/plan-diagnostics.ts';
import { planDocument } from '../../report/plan/plan-document.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import { formatOf, type ReportOptions, reportDiagnostics } from '../report-diagnostics.ts';
import { type PullRequestRun, planText, printLine, summarise } from './pull-request-run.ts';
import { type StepOutputs, writeOutputs } from './write-outputs.ts';

/** `weft pr check`: annotations, the page of the run, an exit code. Sends nothing. */
export async function runCheck(
  run: PullRequestRun,
  planned: PlannedPullRequest,
  outputs: StepOutputs,
): Promise<ExitCode> {
  const { host, options, ports, context, call } = run;
  const { plan, topology, out } = planned;
  const diagnostics = await checkPullRequest(ports, planned);
  const document = diagnosticsDocument(diagnostics);
  const isStale = call.current && !planned.isCurrent;
  const ok = document.ok && !isStale;
  const format = formatOf(options);
  // In GitHub, annotations show disruptive changes; in a terminal, the plan does.
  const breaking = annotates(host, options) ? planDiagnostics(plan, topology.compiled.model) : [];
  await reportDiagnostics(host, options, [...diagnostics, ...breaking]);
  await summarise(run, { topology: topology.files.topology, diagnostics, plan });
  await writeOutputs(context, outputs);
  if (format === 'json') await host.stdout.write(printJson({ ...document, ok, plan: planDocument(plan) }));
  if (format === 'text') await host.stdout.write(planText(run, plan));
  if (isStale)
    await printLine(
      host,
      `${out}/ is out of date with ${topology.files.topology}; run "weft compile" and commit the result`,
    );
  return ok ? EXIT.yes : EXIT.no;
}

const annotates = ({ env }: Host, options: ReportOptions): boolean =>
  ['github', 'sarif'].includes(formatOf(options)) || (options.output === undefined && env['GITHUB_ACTIONS'] === 'true');
