import { join, resolve } from 'node:path';
import { printJson } from '../../../answers/report/diagnostics-document.ts';
import { planDocument } from '../../../answers/report/plan/plan-answer.ts';
import { printRemarkAnnotation, type Remark } from '../../../answers/report/print-annotations.ts';
import { once } from '../../../base/core/once.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { countBrokenPairs } from '../../../plan/blast-radius.ts';
import { countChanges } from '../../../plan/change.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { fleetsOf } from '../../app/compile-fleet.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import {
  baseOfCheckout,
  type PlannedPullRequest,
  type PullRequestPlan,
  planPullRequest,
} from '../../app/plan-pull-request.ts';
import type { FileReader } from '../../app/ports.ts';
import { originUrl } from '../../disk/run-git.ts';
import { appendToFile, writeFileWhole } from '../../disk/write-files.ts';
import { planPlaceFault } from '../../disk/write-own-files.ts';
import { ForgeError, type ForgeTerms } from '../../forge/forge.ts';
import { jobSummary } from '../../forge/job-summary.ts';
import type { ReportFile } from '../../forge/markdown-text.ts';
import type { ConnectForge, ProxySettings } from '../../http/proxies.ts';
import { redactor } from '../../http/rest-client.ts';
import { bundlesFolder } from '../argument-values.ts';
import { CommandFailure } from '../command-failure.ts';
import { EXIT, type ExitCode, type Host, type Output } from '../host.ts';
import { refused } from '../refused.ts';
import { describeFailure, formatIn, type ReportOptions, showUnanswered, worded } from '../show.ts';
import { writeDiff } from '../write-diff.ts';
import { writePullRequestReport } from '../write-report.ts';
import { type ActionsContext, mergedOutputs, type StepOutputs, writeOutputs } from './actions-context.ts';
import { chooseForge, type Env } from './forge-kind.ts';
import { allTokens, FORGES, tokensFor, unknownServer } from './forges.ts';
import { type PullRequestTexts, pullRequestCall } from './pull-request-call.ts';
import {
  announceAlone,
  moveToNextStage,
  type PullRequestOptions,
  type PullRequestRun,
  printLine,
  type StagedRun,
  summarise,
  writeCodeQuality,
} from './pull-request-run.ts';
import { runCheck, runComment } from './run-check-and-comment.ts';
import { runOpen } from './run-open.ts';

/** Runs one mode of `weft pr`, for the command line and for the Action. No output and no error contains a token. */
export async function runPullRequest(
  host: Host,
  texts: PullRequestTexts,
  options: PullRequestOptions,
  givenConnect?: ConnectForge,
): Promise<ExitCode> {
  const { env } = host;
  // A message about a token with a line break may contain a part of it.
  const tokens = allTokens(env).flatMap((it) => [it, ...it.split(/\s+/)]);
  const redact = redactor([...tokens, ...passwordsOf(proxiesOf(env))]);
  const origin = once(() => originUrl(host.cwd));
  const { words = (text: string) => text } = options;
  let terms: ForgeTerms | undefined;
  try {
    const kind = await chooseForge({ given: texts.forge, env, origin });
    terms = FORGES[kind].words;
    const ports = diskPorts(host.cwd);
    const context = await ofCheckout(ports.files, texts, await FORGES[kind].context(env, origin));
    const connect = givenConnect ?? FORGES[kind].connect();
    const proxies = proxiesOf(env);
    const notify = (line: string): void => {
      if (!options.quiet) void printLine(host, redact(line));
    };
    const forge = { ...FORGES[kind], token: tokensFor(kind, env)[0] };
    return await runEach(texts, {
      host: redactedHost(host, redact),
      ports,
      connect: async (at) =>
        connect({
          ...at,
          token: plainToken(at.token),
          apiUrl: context.apiUrl ?? unknownServer(kind),
          version: host.version,
          notify,
          proxies,
          env,
        }),
      options,
      callOf: (each) => pullRequestCall(each, context, forge),
      context,
      diff: null,
      report: null,
    });
  } catch (error) {
    const failure =
      error instanceof ForgeError ? new CommandFailure(error.message, error.hint) : await worded(error, terms);
    const shown = redactError(failure, (text) => words(redact(text)));
    await reportFailure(host, options, shown);
    throw shown;
  }
}

/** The facts of the run with the base of what is checked out. `open` compares with the files on disk. */
async function ofCheckout(
  files: FileReader,
  { mode }: PullRequestTexts,
  context: ActionsContext,
): Promise<ActionsContext> {
  if (mode === 'open' || context.origin.isInMergeQueue) return context;
  return { ...context, baseCommit: await baseOfCheckout(files, context) };
}

type EachRun = Omit<PullRequestRun, 'call'> & { readonly callOf: (texts: PullRequestTexts) => PullRequestRun['call'] };

/** Runs the mode for one topology, or with `all` for each one, whose results are written together. */
async function runEach(texts: PullRequestTexts, { callOf, ...each }: EachRun): Promise<ExitCode> {
  if (!texts.all) return run({ ...each, call: callOf(texts) });
  const fleets = await fleetsOf(each.ports, { folder: texts.topology, out: bundlesFolder(texts) });
  const [only, ...others] = fleets;
  if (only !== undefined && others.length === 0)
    return run({
      ...each,
      call: callOf({ ...texts, ...(only.byDefault ? {} : { topology: only.topology }), out: only.out }),
    });
  refuseForSeveral(texts, each.options);
  const gathered = { outputs: [] as StepOutputs[], findings: [] as Diagnostic[] };
  let answer: ExitCode = EXIT.yes;
  for (const { name, topology, out } of fleets) {
    const { planJson, diff, report } = texts;
    const call = callOf({
      ...{ ...texts, topology, out },
      planJson: planJson?.replace(/(\.[^./\\]*)?$/, (ending) => `-${name}${ending}`),
      diff: diff === undefined ? undefined : join(diff, name),
      report: report === undefined ? undefined : join(report, name),
    });
    await each.host.stdout.write(`${visibleText(topology)}\n`);
    const code = await run({ ...each, context: { ...each.context, gathered }, call });
    if (code !== EXIT.yes) answer = code;
  }
  await writeCodeQuality(each, gathered.findings);
  await writeOutputs(each.context, mergedOutputs(gathered.outputs));
  return answer;
}

/** Refuses settings of one fleet for several, and formats in which the answer is one document. */
function refuseForSeveral({ lock, branch, planId }: PullRequestTexts, { output = 'text' }: ReportOptions): void {
  const given = Object.entries({ lock, branch, 'plan-id': planId }).find(([, value]) => value !== undefined);
  const flag = given === undefined ? (['text', 'github'].includes(output) ? undefined : 'output') : given[0];
  if (flag !== undefined)
    throw new CommandFailure(
      `--all and --${flag} exclude each other with several topologies`,
      'run it for each topology',
    );
}

async function run(it: PullRequestRun): Promise<ExitCode> {
  const staged = it.call.stage === null ? null : await moveToNextStage(it, it.call.stage);
  if (staged !== null && 'diagnostics' in staged) return reportErrors(it, staged);
  return runPlanned(it, staged);
}

async function runPlanned(it: PullRequestRun, staged: StagedRun | null): Promise<ExitCode> {
  const planned = await planPullRequest(it.ports, it.call.plan);
  switch (planned.kind) {
    case 'refused':
      throw refused(planned.refusal, it.call.words);
    case 'errors':
      return reportErrors(it, planned);
    case 'planned':
      // Errors of a topology are no matter for a comment, and nothing is sent with them.
      return planned.broken.length > 0 && it.call.mode !== 'check'
        ? reportBroken(it, planned)
        : runMode(it, planned, staged);
  }
}

async function runMode(it: PullRequestRun, planned: PlannedPullRequest, staged: StagedRun | null): Promise<ExitCode> {
  const { diffFolder: folder } = it.call;
  const diff = folder === undefined ? null : await writeDiff(it.host, { folder, out: planned.out }, planned);
  const run = { ...it, diff, report: await reportOf(it, planned) };
  const outputs = await planOutputs(run, planned);
  switch (it.call.mode) {
    case 'check':
      return runCheck(run, planned, outputs);
    case 'comment':
      return runComment(run, planned, outputs);
    case 'open':
      return runOpen(run, planned, { outputs, staged });
  }
}

/** Writes the page of the fleet. Nothing depends on it, so a failure is a warning, whatever its cause. */
async function reportOf(it: PullRequestRun, planned: PlannedPullRequest): Promise<ReportFile | null> {
  const { call, context, host, ports } = it;
  const { reportFolder: folder } = call;
  if (folder === undefined) return null;
  try {
    const path = await writePullRequestReport(host, ports.files, { folder, planned });
    return path === null ? null : { path, url: context.artifactUrl?.(resolve(host.cwd, path)) };
  } catch (error) {
    const { message, hint } = describeFailure(await worded(error, call.words), host);
    const { topology } = planned.topology.files;
    await announceAlone(it, topology, { severity: 'warning', message: `there is no report: ${message}`, hint });
    return null;
  }
}

/** Reports what prevents a compile, with the plan on the page of the run. */
async function reportBroken(it: PullRequestRun, { topology, plan, broken }: PlannedPullRequest): Promise<ExitCode> {
  const diagnostics = [...topology.diagnostics, ...broken];
  return reportErrors(it, { files: topology.files, diagnostics, plan });
}

/** Reports errors in the topology, in which case nothing is written or sent; the page of the run lists them. */
async function reportErrors(
  it: PullRequestRun,
  {
    files,
    diagnostics,
    plan = null,
  }: Omit<Extract<PullRequestPlan, { kind: 'errors' }>, 'kind'> & { readonly plan?: Plan | null },
): Promise<ExitCode> {
  const exitCode = await showUnanswered(it.host, it.options, { kind: 'errors', diagnostics });
  await writeCodeQuality(it, diagnostics);
  await summarise(it, { topology: files.topology, diagnostics, plan });
  await writeOutputs(it.context, {});
  return exitCode;
}

async function writePlan({ cwd }: Host, path: string, plan: Plan): Promise<void> {
  const place = resolve(cwd, path);
  const reason = planPlaceFault(place, cwd);
  if (reason !== undefined) throw refused({ kind: 'no-place-for-plan', path, reason });
  await writeFileWhole(place, printJson(planDocument(plan)));
}

async function planOutputs(
  { host, call, diff, report }: PullRequestRun,
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
    ...(report === null ? {} : { report: report.path }),
  };
}

/** A host that removes secrets from all output. */
function redactedHost(host: Host, redact: (text: string) => string): Host {
  const output = (it: Output): Output => ({
    get isTTY() {
      return it.isTTY;
    },
    get columns() {
      return it.columns;
    },
    write: (text) => it.write(redact(text)),
  });
  return { ...host, stdout: output(host.stdout), stderr: output(host.stderr) };
}

/** Removes secrets from an error and its causes before it is printed. */
function redactError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error;
  error.message = redact(error.message);
  if (error.stack !== undefined) error.stack = redact(error.stack);
  if ('hint' in error && typeof error.hint === 'string') Object.assign(error, { hint: redact(error.hint) });
  if (error.cause !== undefined) error.cause = redactError(error.cause, redact);
  return error;
}

/** A token that a header can carry. The message of the one that refuses another token would contain it. */
function plainToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandFailure(
    'the token contains a line break, a blank or another character that no token has',
    'set it to the token alone, on one line',
  );
}

/** The proxies of the environment; lower-case names first, as in curl. */
export function proxiesOf(env: Env): ProxySettings {
  const set = (name: string): string | undefined => env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
  return { httpProxy: set('HTTP_PROXY'), httpsProxy: set('HTTPS_PROXY'), noProxy: set('NO_PROXY') };
}

/** Passwords in the URLs of proxies, which must not be printed. */
export const passwordsOf = ({ httpProxy, httpsProxy }: ProxySettings): readonly string[] =>
  [httpProxy, httpsProxy].flatMap((it) => {
    const [, password] = /^[^/]*\/\/[^/@]*?:([^/@]+)@/.exec(it ?? '') ?? [];
    return password === undefined ? [] : [password];
  });

/** Reports a failure as an annotation and on the page of the run. `printFailure` prints it in the log. */
export async function reportFailure(host: Host, options: ReportOptions, error: unknown): Promise<void> {
  const { message, hint } = describeFailure(error, host);
  const remark: Remark = { severity: 'error', message, hint };
  if (formatIn(host, options) === 'github') await host.stdout.write(printRemarkAnnotation(remark));
  const summaryFile = host.env['GITHUB_STEP_SUMMARY'];
  if (summaryFile === undefined || summaryFile === '') return;
  const page = jobSummary({ topology: null, remarks: [remark], diagnostics: [], plan: null, pathOf: (path) => path });
  // A failure to write the page must not hide the reported one.
  await appendToFile(summaryFile, page).catch(() => undefined);
}
