import { bug } from '../../diagnostics/bug.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { DiskError } from '../../disk/disk-error.ts';
import { EnvironmentError } from '../../disk/environment-error.ts';
import { isEmptyPlan, type Plan, planChanges } from '../../plan/plan-changes.ts';
import { tooMuchRemoved } from '../../plan/removal-guard.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { planDiagnostics, removalDiagnostics } from '../../report/plan-diagnostics.ts';
import { planDocument } from '../../report/plan-document.ts';
import { printPlan } from '../../report/print-plan.ts';
import { MARKDOWN_LIMIT, printPlanMarkdown } from '../../report/print-plan-markdown.ts';
import { choosePaint } from '../choose-paint.ts';
import { compileTopology } from '../compile-topology.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { type PlanRequest, planRequest } from '../plan-request.ts';
import { headState, readBase } from '../read-base.ts';
import { Refusal } from '../refusal.ts';
import { relockTargets } from '../relock-targets.ts';
import { formatOf, reportDiagnostics } from '../report-diagnostics.ts';

/** What `--detailed-exitcode` says when there is something to do, as `terraform plan -detailed-exitcode` does. */
const DIFFERS = 2;

/** `weft plan`: what would change, and what that breaks. Writes nothing. */
export async function planCommand(host: Host, { args, options }: Call<'plan'>): Promise<ExitCode> {
  const detailed = options.detailedExitcode;
  try {
    return await planOnce(host, options, planRequest(args[0], options));
  } catch (error) {
    // With the detailed exit code 2 means that there is something to do, so whatever stands in the way is a 1.
    if (!detailed) throw error;
    if (error instanceof Refusal) throw new Refusal(error.message, error.hint, EXIT.no);
    if (error instanceof DiskError) throw new Refusal(`${error.path}: ${error.message}`, error.hint, EXIT.no);
    if (error instanceof EnvironmentError) throw new Refusal(error.message, error.hint, EXIT.no);
    throw error;
  }
}

async function planOnce(host: Host, options: OptionsOf<'plan'>, request: PlanRequest): Promise<ExitCode> {
  const { cwd } = host;
  const { base, out } = request;
  const files = await findTopology(cwd, request.topology, request.lock);
  const { diagnostics, result } = await compileTopology(cwd, files, { relock: relockTargets(options), only: null });
  if (result === null) return refuse(host, options, diagnostics);
  const before = await readBase({ cwd, base, out, files, now: result });
  const after = headState(result.compiled) ?? bug('the plan cannot read what compile emits');
  const plan = planChanges(before, after);
  const { model } = result.compiled;
  const removals = request.allowDestroy ? [] : tooMuchRemoved(plan, request.maxRemoved);
  const guard = removalDiagnostics(removals, model.fleet.at);
  await report(host, options, { plan, guard, compiled: diagnostics, breaking: planDiagnostics(plan, model) });
  if (guard.length > 0) return EXIT.no;
  return options.detailedExitcode && !isEmptyPlan(plan) ? DIFFERS : EXIT.yes;
}

async function refuse(host: Host, options: OptionsOf<'plan'>, diagnostics: readonly Diagnostic[]): Promise<ExitCode> {
  await reportDiagnostics(host, options, diagnostics);
  if (formatOf(options) === 'json')
    await host.stdout.write(printJson({ ...diagnosticsDocument(diagnostics), plan: null }));
  return EXIT.no;
}

interface Answer {
  readonly plan: Plan;
  readonly guard: readonly Diagnostic[];
  /** What compile said about the topology. */
  readonly compiled: readonly Diagnostic[];
  /** The changes that break something, at their places. */
  readonly breaking: readonly Diagnostic[];
}

async function report(
  host: Host,
  options: OptionsOf<'plan'>,
  { plan, guard, compiled, breaking }: Answer,
): Promise<void> {
  const format = formatOf(options);
  const annotated = format === 'github' || format === 'sarif';
  // For people the plan itself says what breaks; where only annotations come out, they have to.
  const diagnostics = annotated ? [...compiled, ...guard, ...breaking] : [...compiled, ...guard];
  if (format === 'json')
    await host.stdout.write(printJson({ ...diagnosticsDocument(diagnostics), plan: planDocument(plan) }));
  if (format === 'markdown') await host.stdout.write(printPlanMarkdown(plan, { limit: MARKDOWN_LIMIT }));
  if (format === 'text') {
    const paint = choosePaint(options.color, host.env, host.stdout);
    await host.stdout.write(printPlan(plan, { paint, verbose: options.verbose }));
  }
  await reportDiagnostics(host, options, diagnostics, 'warnings');
}
