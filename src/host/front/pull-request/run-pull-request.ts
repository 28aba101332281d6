import { resolve } from 'node:path';
import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { planDocument } from '../../../answers/report/plan/plan-document.ts';
import { countBrokenPairs } from '../../../plan/blast-radius.ts';
import { countChanges } from '../../../plan/count-changes.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type PlannedPullRequest, type PullRequestPlan, planPullRequest } from '../../app/plan-pull-request.ts';
import { originUrl } from '../../disk/origin-url.ts';
import { planPlaceFault } from '../../disk/plan-place-fault.ts';
import { writeFileWhole } from '../../disk/write-file-whole.ts';
import { ForgeError } from '../../forge/forge-error.ts';
import type { ConnectForge } from '../../http/connect-forge.ts';
import { redactor } from '../../http/redact.ts';
import { CommandFailure } from '../command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import { worded } from '../print-failure.ts';
import { redactError, redactedHost } from '../redacted-host.ts';
import { refused } from '../refused.ts';
import { formatOf, type ReportOptions, reportDiagnostics } from '../report-diagnostics.ts';
import { reportFailure } from '../report-failure.ts';
import { writeDiff } from '../write-diff.ts';
import { chooseForge } from './forge-kind.ts';
import { allTokens, FORGES, inForgeWords, tokensFor, unknownServer } from './forges.ts';
import { passwordsOf, proxiesOf } from './proxies-of.ts';
import { type PullRequestTexts, pullRequestCall } from './pull-request-call.ts';
import { type PullRequestRun, printLine, summarise, writeCodeQuality } from './pull-request-run.ts';
import { runCheck } from './run-check.ts';
import { runComment } from './run-comment.ts';
import { runOpen } from './run-open.ts';
import { type StepOutputs, writeOutputs } from './write-outputs.ts';

/** One mode of `weft pr`, for the command line and for the Action. No output and no error contains a token. */
export async function runPullRequest(
  host: Host,
  texts: PullRequestTexts,
  options: ReportOptions,
  givenConnect?: ConnectForge,
): Promise<ExitCode> {
  const { env } = host;
  const redact = redactor([...allTokens(env), ...passwordsOf(proxiesOf(env))]);
  const origin = () => originUrl(host.cwd);
  let words = options.words ?? ((text: string) => text);
  try {
    const kind = await chooseForge({ given: texts.forge, env, origin });
    words = inForgeWords(kind, words);
    const context = await FORGES[kind].context(env, origin);
    const connect = givenConnect ?? FORGES[kind].connect();
    const proxies = proxiesOf(env);
    const notify = (line: string): void => {
      if (!options.quiet) void printLine(host, redact(line));
    };
    const call = pullRequestCall(texts, context, { ...FORGES[kind], token: tokensFor(kind, env)[0] });
    return await run({
      host: redactedHost(host, redact),
      ports: diskPorts(host.cwd),
      connect: async (at) =>
        connect({ ...at, apiUrl: context.apiUrl ?? unknownServer(kind), version: host.version, notify, proxies, env }),
      options: { ...options, words },
      call,
      context,
      diff: null,
    });
  } catch (error) {
    const failure = error instanceof ForgeError ? new CommandFailure(error.message, error.hint) : await worded(error);
    const shown = redactError(failure, (text) => words(redact(text)));
    await reportFailure(host, options, shown);
    throw shown;
  }
}

async function run(it: PullRequestRun): Promise<ExitCode> {
  const planned = await planPullRequest(it.ports, it.call.plan);
  switch (planned.kind) {
    case 'refused':
      throw refused(planned.refusal);
    case 'errors':
      return reportErrors(it, planned);
    case 'planned':
      return runMode(it, planned);
  }
}

async function runMode(it: PullRequestRun, planned: PlannedPullRequest): Promise<ExitCode> {
  const { diffFolder: folder } = it.call;
  const diff = folder === undefined ? null : await writeDiff(it.host, { folder, out: planned.out }, planned);
  const run = { ...it, diff };
  const outputs = await planOutputs(run, planned);
  switch (it.call.mode) {
    case 'check':
      return runCheck(run, planned, outputs);
    case 'comment':
      return runComment(run, planned, outputs);
    case 'open':
      return runOpen(run, planned, outputs);
  }
}

/** Nothing is written or sent for a topology with errors; the page of the run lists them. */
async function reportErrors(
  it: PullRequestRun,
  { files, diagnostics }: Extract<PullRequestPlan, { kind: 'errors' }>,
): Promise<ExitCode> {
  const { host, options } = it;
  await reportDiagnostics(host, options, diagnostics);
  if (formatOf(options) === 'json') await host.stdout.write(printJson(diagnosticsDocument(diagnostics)));
  await writeCodeQuality(it, diagnostics);
  await summarise(it, { topology: files.topology, diagnostics, plan: null });
  await writeOutputs(it.context, {});
  return EXIT.no;
}

async function writePlan({ cwd }: Host, path: string, plan: Plan): Promise<void> {
  const place = resolve(cwd, path);
  const reason = await planPlaceFault(place, cwd);
  if (reason !== undefined) throw refused({ kind: 'no-place-for-plan', path, reason });
  await writeFileWhole(place, printJson(planDocument(plan)));
}

async function planOutputs(
  { host, call, diff }: PullRequestRun,
  { plan, planId, isCurrent }: PlannedPullRequest,
): Promise<StepOutputs> {
  const { planFile } = call;
  if (planFile !== undefined) await writePlan(host, planFile, plan);
  const { add, change, remove, disruptive, trust } = countChanges(plan.changes);
  return {
    changed: String(!isCurrent),
    disruptive: String(disruptive > 0),
    'trust-changes': String(trust),
    add: String(add),
    change: String(change),
    remove: String(remove),
    'pairs-interrupted': String(countBrokenPairs(plan)),
    'plan-id': planId,
    ...(planFile === undefined ? {} : { 'plan-json': planFile }),
    ...(diff === null ? {} : { 'diff-markdown': diff.markdown, 'diff-html': diff.html }),
  };
}
