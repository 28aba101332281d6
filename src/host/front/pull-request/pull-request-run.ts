import { dirname, resolve } from 'node:path';
import type { FormatOf } from '../../../answers/report/answer.ts';
import { printCodeQuality } from '../../../answers/report/code-scanning.ts';
import { pullRequestAnswer } from '../../../answers/report/plan/plan-answer.ts';
import { printRemark, printRemarkAnnotation, type Remark } from '../../../answers/report/print-annotations.ts';
import { addAll } from '../../../base/core/collections.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { listOf } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { findTopology, type TopologyFiles } from '../../app/find-topology.ts';
import type { Connect, PlannedPullRequest } from '../../app/plan-pull-request.ts';
import type { Ports } from '../../app/ports.ts';
import { type NextStage, nextStage } from '../../app/stage-change.ts';
import { makeFolder, writeFileWhole } from '../../disk/write-files.ts';
import { jobSummary } from '../../forge/job-summary.ts';
import type { ReportFile } from '../../forge/markdown-text.ts';
import type { ExitCode, Host } from '../host.ts';
import { refused } from '../refused.ts';
import {
  choosePaint,
  formatIn,
  inWords,
  pathFromCheckout,
  type ReportOptions,
  readingClusters,
  show,
} from '../show.ts';
import type { WrittenDiff } from '../write-diff.ts';
import { type ActionsContext, writeSummary } from './actions-context.ts';
import type { PullRequestCall } from './pull-request-call.ts';

/** The print options of `weft pr`, and of the Action, which prints only text. */
export type PullRequestOptions = ReportOptions<FormatOf<'pr'>>;

/** One run of a mode: the request, and the targets of its results. */
export interface PullRequestRun {
  readonly host: Host;
  readonly ports: Pick<Ports, 'files' | 'tree'>;
  readonly connect: Connect;
  /** The print options. */
  readonly options: PullRequestOptions;
  readonly call: PullRequestCall;
  readonly context: ActionsContext;
  /** The diff of the plan, if one was asked for and something changes. */
  readonly diff: WrittenDiff | null;
  /** The page of the fleet, likewise. */
  readonly report: ReportFile | null;
}

interface PageOfRun {
  readonly topology: string;
  readonly remarks?: readonly Remark[];
  readonly diagnostics: readonly Diagnostic[];
  /** `null` when there is none to show. */
  readonly plan: Plan | null;
}

/** Adds the summary to the page of the run. */
export function summarise({ host, context, options, diff, report }: PullRequestRun, page: PageOfRun): Promise<void> {
  const remarks = inWords(options, page.remarks ?? []);
  const diagnostics = inWords(options, page.diagnostics);
  return writeSummary(
    context,
    jobSummary({
      ...page,
      diff: page.plan === null ? null : diff,
      report: page.plan === null ? null : report,
      remarks,
      diagnostics,
      pathOf: pathFromCheckout(host),
    }),
  );
}

/** Writes the report that GitLab shows in a merge request. No effect without a file for it. */
export async function writeCodeQuality(
  { host, context, options }: Pick<PullRequestRun, 'host' | 'context' | 'options'>,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  if (context.gathered !== undefined) {
    addAll(context.gathered.findings, diagnostics);
    return;
  }
  if (context.codeQualityFile === undefined) return;
  await writeFileWhole(
    context.codeQualityFile,
    printCodeQuality(inWords(options, diagnostics), pathFromCheckout(host)),
  );
}

interface RunAnswer {
  readonly diagnostics: readonly Diagnostic[];
  readonly remarks: readonly Remark[];
  readonly plan: Plan;
  readonly planId: string;
  /** By default true without errors among the diagnostics. */
  readonly ok?: boolean;
  /** True if the plan is also printed as text. */
  readonly showsPlan?: boolean;
  /** The result of the mode, for programs. */
  readonly done?: object;
}

/** Prints the answer of a mode: always a document for programs, and the plan for people if `showsPlan` is set. */
export const showRun = (
  { host, options }: PullRequestRun,
  { remarks, showsPlan = false, done = {}, ...answer }: RunAnswer,
): Promise<ExitCode> =>
  show(
    host,
    options,
    pullRequestAnswer,
    { ...answer, showsPlan, done, remarks: inWords(options, remarks) },
    (it) => it,
  );

export const printLine = (host: Host, line: string): Promise<boolean> => host.stderr.write(`${visibleText(line)}\n`);

/** Shows remarks in the log, and in GitHub as annotations; `summarise` adds them to the page of the run. */
export async function announce({ host, options }: PullRequestRun, remarks: readonly Remark[]): Promise<void> {
  const paint = choosePaint(options.color, host.env, host.stderr);
  for (const it of inWords(options, remarks)) {
    if (it.severity !== 'note' || !options.quiet) await host.stderr.write(printRemark(it, paint));
    if (formatIn(host, options) === 'github') await host.stdout.write(printRemarkAnnotation(it));
  }
}

/** Prints the only remark of a run without other results. */
export async function announceAlone(run: PullRequestRun, topology: string, remark: Remark): Promise<void> {
  await announce(run, [remark]);
  await summarise(run, { topology, remarks: [remark], diagnostics: [], plan: null });
}

/** The error when the plan is not the one that was reviewed; `undefined` if it is, or if no reviewed plan is named. */
export const otherPlan = (
  { reviewedPlan }: PullRequestCall,
  { planId }: Pick<PlannedPullRequest, 'planId'>,
): Remark | undefined =>
  reviewedPlan === undefined || reviewedPlan === planId
    ? undefined
    : {
        severity: 'error',
        message: `this plan is ${planId}, and the reviewed one is ${reviewedPlan}`,
        hint: 'review the plan again: the topology, the lock or the bundles have changed since',
      };

/** A change in states, as far as a run has carried it. */
export interface StagedRun {
  /** The files of the next state, which are in place now. */
  readonly paths: readonly string[];
  /** The reason why nothing is proposed yet, or any more; `null` when the next state is in place. */
  readonly waits: string | null;
}

interface Unreadable {
  readonly files: TopologyFiles;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts the next state of a change in the place of the present one, if all clusters are as the present one has them. The
 * present files equal a state that is in git, so nothing is lost.
 */
export async function moveToNextStage(
  run: PullRequestRun,
  { folder, ...live }: NonNullable<PullRequestCall['stage']>,
): Promise<StagedRun | Unreadable> {
  const { host, options, call, ports } = run;
  const { topology, lock, out } = call.plan;
  const found = await readingClusters(host, options, (clusters) =>
    nextStage(clusters, { topology, lock, out, folder, ...live }),
  );
  switch (found.kind) {
    case 'refused':
      throw refused(found.refusal, call.words);
    case 'errors':
    case 'unreadable':
      return { files: await findTopology(ports.files, topology, lock), diagnostics: found.diagnostics };
    case 'next': {
      for (const [path, text] of found.files) {
        const target = resolve(host.cwd, path);
        await makeFolder(dirname(target));
        await writeFileWhole(target, text);
      }
      if (!options.quiet) await printLine(host, visibleText(`${found.from} has arrived: ${found.to} is next`));
      return { paths: [...found.files.keys()], waits: null };
    }
    default:
      return { paths: [], waits: waitingWords(found) };
  }
}

/** The sentence of a run that waits, or has nothing left to wait for. */
function waitingWords(found: Exclude<NextStage, { kind: 'next' }>): string {
  if (found.kind === 'finished') return `${found.stage} is the last state: nothing is left to propose`;
  const { stage, differing, unread } = found;
  const reasons = [
    ...(differing.length === 0
      ? []
      : [`${listOf(differing)} ${differing.length === 1 ? 'differs' : 'differ'} from it ("weft drift" says how)`]),
    ...(unread.length === 0 ? [] : [`${listOf(unread)} ${unread.length === 1 ? 'was' : 'were'} not read`]),
  ];
  return `${stage} has not arrived: ${reasons.join('; ')}`;
}
