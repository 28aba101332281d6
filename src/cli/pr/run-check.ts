import { diskPorts } from '../../app/disk-ports.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics } from '../../front/report-diagnostics.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { planDiagnostics } from '../../report/plan/plan-diagnostics.ts';
import { planDocument } from '../../report/plan/plan-document.ts';
import type { OptionsOf } from '../options-of.ts';
import { type PrCall, planText, say, summarise } from './pr-call.ts';
import type { PreparedPlan } from './prepare-plan.ts';
import { type Outputs, writeOutputs } from './write-outputs.ts';

/** `weft pr check`: annotations, the page of the run, an exit code. Sends nothing. */
export async function runCheck(call: PrCall, prepared: PreparedPlan, outputs: Outputs): Promise<ExitCode> {
  const { host, options, request } = call;
  const { plan, files, to, guard, result } = prepared;
  const diagnostics = [...prepared.diagnostics, ...guard, ...(await handEdited(prepared))];
  const document = diagnosticsDocument(diagnostics);
  const stale = request.current && outputs.changed === 'true';
  const ok = document.ok && !stale;
  const format = formatOf(options);
  // GitHub shows what breaks at its line; for people the plan says it.
  const breaking = annotates(host, options) ? planDiagnostics(plan, result.compiled.model) : [];
  await reportDiagnostics(host, options, [...diagnostics, ...breaking]);
  await summarise(call, { topology: files.topology, diagnostics, plan });
  await writeOutputs(request.context, outputs);
  if (format === 'json') await host.stdout.write(printJson({ ...document, ok, plan: planDocument(plan) }));
  if (format === 'text') await host.stdout.write(planText(call, plan));
  if (stale)
    await say(host, `${to.out}/ is not what ${files.topology} says; run weft compile and commit what it writes`);
  return ok ? EXIT.yes : EXIT.no;
}

const annotates = ({ env }: Host, options: OptionsOf<'pr'>): boolean =>
  ['github', 'sarif'].includes(formatOf(options)) || (options.output === undefined && env['GITHUB_ACTIONS'] === 'true');

/** Promises that a file edited by hand breaks: what an edit of the topology explains is no mistake here. */
async function handEdited({ result, tree, to }: PreparedPlan): Promise<readonly Diagnostic[]> {
  const differing = [...tree.placements.map((it) => it.path), ...tree.removals, ...tree.keptEdited];
  const { verifyEdited } = await import('../../app/verify-out.ts');
  return verifyEdited(diskPorts(to.cwd), result.compiled, { out: to.out, differing });
}
