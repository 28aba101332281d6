import type { Remark } from '../../../answers/report/print-annotations.ts';
import { firstOf } from '../../../base/core/words.ts';
import { type NoPullRequest, type OpenResult, openPullRequest } from '../../app/open-pull-request.ts';
import type { PlannedPullRequest } from '../../app/plan-pull-request.ts';
import { describeProposed, proposalRemarks } from '../../forge/describe-proposed.ts';
import type { ForgeTerms } from '../../forge/forge.ts';
import { CommandFailure } from '../command-failure.ts';
import { EXIT, type ExitCode } from '../host.ts';
import { refused } from '../refused.ts';
import { checkoutOf } from '../show.ts';
import { type StepOutputs, writeOutputs } from './actions-context.ts';
import {
  announce,
  announceAlone,
  otherPlan,
  type PullRequestRun,
  printLine,
  type StagedRun,
  showRun,
  summarise,
} from './pull-request-run.ts';

/** `weft pr open`: one pull request with the manifests and the lock, opened, refreshed or closed. */
export async function runOpen(
  run: PullRequestRun,
  planned: PlannedPullRequest,
  { outputs, staged }: OpenedRun,
): Promise<ExitCode> {
  const { host, ports, connect, context, call } = run;
  if (staged?.waits != null) return endWithNone(run, planned, outputs, { severity: 'note', message: staged.waits });
  const other = otherPlan(call, planned);
  if (other !== undefined) {
    await announceAlone(run, planned.topology.files.topology, other);
    await showNone(run, planned, other);
    await writeOutputs(context, { ...outputs, operation: 'none' });
    return EXIT.no;
  }
  const checkout = checkoutOf(host, planned.topology.files.topology);
  const result = await openPullRequest({ files: ports.files, checkout, connect }, planned, {
    ...call,
    allowDestroy: call.plan.allowDestroy,
    staged: staged?.paths ?? [],
  });
  switch (result.kind) {
    case 'refused':
      throw refused(result.refusal, call.words);
    case 'none':
      return endWithNone(run, planned, outputs, {
        severity: 'note',
        message: NO_PULL_REQUEST[result.why](call.words),
      });
    case 'done':
      return report(run, planned, result, outputs);
  }
}

interface OpenedRun {
  readonly outputs: StepOutputs;
  /** The state of a change to propose; `null` for what was in the working folder. */
  readonly staged: StagedRun | null;
}

/** Ends a run that needs no pull request, with the reason. */
async function endWithNone(
  run: PullRequestRun,
  planned: PlannedPullRequest,
  outputs: StepOutputs,
  remark: Remark,
): Promise<ExitCode> {
  await announceAlone(run, planned.topology.files.topology, remark);
  await showNone(run, planned, remark);
  await writeOutputs(run.context, { ...outputs, operation: 'none' });
  return EXIT.yes;
}

const NO_PULL_REQUEST: Readonly<Record<NoPullRequest, (terms: ForgeTerms) => string>> = {
  'from-fork': ({ pull }) => `a ${pull} from a fork gets no manifests: they follow when it is merged`,
  'merge-queue': ({ pull, queue }) => `a ${queue} gets no ${pull}: the manifests follow when its commits are merged`,
  'own-branch': ({ pull }) => `this is a branch of weft, which has its ${pull}: none is opened into it`,
};

/** The answer of a run that proposes nothing without an error in a file. */
const showNone = (
  run: PullRequestRun,
  { topology, plan, planId }: PlannedPullRequest,
  remark: Remark,
): Promise<ExitCode> =>
  showRun(run, {
    ...{ diagnostics: topology.diagnostics, remarks: [remark], plan, planId },
    ...(remark.severity === 'error' ? { ok: false } : {}),
    done: { result: 'none', pullRequest: null },
  });

type Done = Extract<OpenResult, { kind: 'done' }>;

/** Reports the result of a proposal to users and to later steps. */
async function report(
  run: PullRequestRun,
  { topology, plan, planId, out, tree }: PlannedPullRequest,
  done: Done,
  outputs: StepOutputs,
): Promise<ExitCode> {
  const { host, context } = run;
  const { proposed } = done;
  if (proposed.kind === 'not-opened') {
    await writeOutputs(context, { ...outputs, changed: 'true', ...pushedOutputs(done.branch, proposed.head) });
    // Reported like every refusal, in its own document.
    throw new CommandFailure(
      [proposed.reason.message, `the branch is pushed; open it by hand: ${compareUrl(run, done)}`],
      proposed.reason.hint,
    );
  }
  const pull = 'pull' in proposed ? { number: proposed.pull.number, url: proposed.pull.url } : null;
  const { diagnostics, files } = topology;
  const isNew = proposed.kind === 'proposed' && proposed.change !== 'unchanged';
  const kept = tree.kind === 'possible' ? editedByHand(out, tree.keptEdited) : [];
  const around = { base: done.base, isInPullRequest: context.origin.pull !== null, words: run.call.words };
  const remarks = [...proposalRemarks(proposed, around), ...kept];
  if (isNew || remarks.length > 0)
    await summarise(run, { topology: files.topology, remarks, diagnostics: [], plan: isNew ? plan : null });
  const shown = { diagnostics, remarks, plan, planId, showsPlan: isNew };
  await showRun(run, { ...shown, done: { result: proposed.kind, pullRequest: pull } });
  await printLine(host, describeProposed(proposed, around));
  await announce(run, remarks);
  await writeOutputs(context, { ...outputs, ...proposalOutputs(done, proposed) });
  return EXIT.yes;
}

const NAMED_FILES = 5;

/** Files that weft no longer generates but that were edited by hand stay: GitOps tools may still apply them. */
function editedByHand(out: string, paths: readonly string[]): readonly Remark[] {
  if (paths.length === 0) return [];
  const [what, stays] = paths.length === 1 ? ['file', 'stays'] : ['files', 'stay'];
  const names = firstOf(
    paths.map((it) => `${out}/${it}`),
    NAMED_FILES,
  );
  const message = `${paths.length} ${what} that weft no longer writes ${stays}, because of edits by hand: ${names}`;
  return [{ severity: 'warning', message, hint: 'delete what is not needed' }];
}

type Reported = Exclude<Done['proposed'], { kind: 'not-opened' }>;

const OPERATIONS = { opened: 'created', refreshed: 'updated', unchanged: 'none' } as const;

function proposalOutputs({ branch }: Done, proposed: Reported): StepOutputs {
  switch (proposed.kind) {
    case 'outdated':
    case 'closed-by-hand':
      return { changed: 'false', operation: 'none' };
    case 'nothing-to-do':
    case 'pull-closed': {
      const [closed] = proposed.closed;
      return closed === undefined
        ? { changed: 'false', operation: 'none' }
        : { changed: 'false', operation: 'closed', branch, ...pullOutputs(closed) };
    }
    case 'proposed':
      return {
        changed: 'true',
        ...pushedOutputs(branch, proposed.head),
        operation: OPERATIONS[proposed.change],
        ...pullOutputs(proposed.pull),
      };
  }
}

/** The outputs of a branch without a pull request. */
const pushedOutputs = (branch: string, head: string): StepOutputs => ({
  operation: 'none',
  branch,
  'head-commit': head,
});

const pullOutputs = ({ number, url }: { readonly number: number; readonly url: string }): StepOutputs => ({
  'pull-request-number': String(number),
  'pull-request-url': url,
});

/** The page for opening the pull request in a browser. */
function compareUrl({ call, context }: PullRequestRun, { base, branch }: Done): string {
  return call.repository === null
    ? context.serverUrl
    : call.openPage(context.serverUrl, call.repository, { base, branch });
}
