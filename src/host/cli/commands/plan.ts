import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { planDiagnostics, removalDiagnostics } from '../../../answers/report/plan/plan-diagnostics.ts';
import { planDocument } from '../../../answers/report/plan/plan-document.ts';
import { preflightLine } from '../../../answers/report/plan/plan-tables.ts';
import { printPlan } from '../../../answers/report/plan/print-plan.ts';
import { MARKDOWN_LIMIT, printPlanMarkdown } from '../../../answers/report/plan/print-plan-markdown.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { isEmptyPlan } from '../../../plan/plan-changes.ts';
import { certificateWarnings } from '../../app/compile-topology.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { livePorts } from '../../app/live-ports.ts';
import { type PlannedFleet, planFleet } from '../../app/plan-fleet.ts';
import { type LivePlan, planLive } from '../../app/plan-live.ts';
import { DiskError, EnvironmentError } from '../../disk/disk-error.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { planRequest } from '../../front/plan-request.ts';
import { worded } from '../../front/print-failure.ts';
import { formatOf, reportDiagnostics, reportUnanswered } from '../../front/report-diagnostics.ts';
import { systemClock } from '../../front/system-clock.ts';
import { writeDiff, writtenWords } from '../../front/write-diff.ts';
import { relockTargets } from '../argument-values.ts';
import { liveRequest } from '../live-requests.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** The exit code of `--detailed-exitcode` if there is something to do, as `terraform plan -detailed-exitcode` does. */
const DIFFERS = 2;

/** `weft plan`: what would change, and what that breaks. Writes nothing but the diff that is asked for. */
export async function planCommand(host: Host, { args, options }: Call<'plan'>): Promise<ExitCode> {
  try {
    return await planOnce(host, options, args[0]);
  } catch (error) {
    // With the detailed exit code, 2 means that there is something to do, so every failure is 1.
    throw options.detailedExitcode ? withExitCode(await worded(error), EXIT.no) : error;
  }
}

function withExitCode(error: unknown, exitCode: ExitCode): unknown {
  if (error instanceof DiskError) return new CommandFailure(`${error.path}: ${error.message}`, error.hint, exitCode);
  const isExpected = error instanceof CommandFailure || error instanceof EnvironmentError;
  return isExpected ? new CommandFailure(error.message, error.hint, exitCode) : error;
}

async function planOnce(host: Host, options: OptionsOf<'plan'>, topology: string | undefined): Promise<ExitCode> {
  const request = { ...planRequest(topology, options), relock: relockTargets(options) };
  const live = liveRequest(options);
  if (live !== undefined && request.base.kind !== 'out') {
    throw new CommandFailure(
      '--live and --base exclude each other: each names what the plan starts from',
      'remove one',
    );
  }
  const { files, tree } = diskPorts(host.cwd);
  const result =
    live === undefined
      ? await planFleet({ files, tree }, request)
      : await planLive({ ...livePorts(host), files }, { ...request, live });
  if (result.kind !== 'planned') {
    const code = await reportUnanswered(host, options, result);
    return options.detailedExitcode ? EXIT.no : code;
  }
  const diff =
    options.diff === undefined ? undefined : await writeDiff(host, { folder: options.diff, out: request.out }, result);
  await report(host, options, result);
  if (diff !== undefined && !options.quiet) await host.stderr.write(`${visibleText(writtenWords(diff))}\n`);
  if (result.removals.length > 0) return EXIT.no;
  return options.detailedExitcode && !isEmptyPlan(result.plan) ? DIFFERS : EXIT.yes;
}

async function report(host: Host, options: OptionsOf<'plan'>, planned: PlannedFleet | LivePlan): Promise<void> {
  const { topology, diagnostics, plan, removals } = planned;
  const live =
    'looked' in planned ? { looked: planned.looked, others: planned.others, unknownKeys: planned.unknownKeys } : null;
  const { model } = topology.compiled;
  const format = formatOf(options);
  // The text of a plan shows disruptive changes; annotations alone must report them.
  const breaking = ['github', 'gitlab', 'sarif'].includes(format) ? planDiagnostics(plan, model) : [];
  const ending = certificateWarnings(topology, systemClock.now());
  const all = [...diagnostics, ...ending, ...removalDiagnostics(removals, model.fleet.at), ...breaking];
  if (format === 'json')
    await host.stdout.write(
      printJson({ ...diagnosticsDocument(all), plan: planDocument(plan), ...(live && { live }) }),
    );
  if (format === 'markdown') {
    if (live !== null) await host.stdout.write(`${preflightLine(live)}\n\n`);
    await host.stdout.write(printPlanMarkdown(plan, { limit: MARKDOWN_LIMIT }));
  }
  if (format === 'text') {
    if (live !== null) await host.stdout.write(`${preflightLine(live)}\n\n`);
    const paint = choosePaint(options.color, host.env, host.stdout);
    await host.stdout.write(printPlan(plan, { paint, verbose: options.verbose }));
  }
  await reportDiagnostics(host, options, all, 'warnings');
}
