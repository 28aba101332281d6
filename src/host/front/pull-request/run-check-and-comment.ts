import { countDiagnostics } from '../../../answers/report/diagnostics-document.ts';
import { planDiagnostics } from '../../../answers/report/plan/plan-diagnostics.ts';
import type { Remark } from '../../../answers/report/print-annotations.ts';
import { isEmptyPlan } from '../../../plan/plan-changes.ts';
import { checkPullRequest } from '../../app/check-pull-request.ts';
import { agingDiagnostics } from '../../app/compile-topology.ts';
import { planOwner } from '../../app/manifests.ts';
import { commentPlan, type PlannedPullRequest } from '../../app/plan-pull-request.ts';
import type { ForgeTerms } from '../../forge/forge.ts';
import { smuggledText } from '../../forge/markdown-text.ts';
import { EXIT, type ExitCode, systemClock } from '../host.ts';
import { refused } from '../refused.ts';
import { checkoutOf, formatIn, pathFromCheckout, reportDiagnostics } from '../show.ts';
import { type StepOutputs, writeOutputs } from './actions-context.ts';
import {
  announce,
  announceAlone,
  otherPlan,
  type PullRequestRun,
  printLine,
  showRun,
  summarise,
  writeCodeQuality,
} from './pull-request-run.ts';

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
  const diagnostics = [...checked.diagnostics, ...agingDiagnostics(topology, systemClock.now())];
  const isStale = call.current && !planned.isCurrent;
  const other = otherPlan(call, planned);
  const ok = countDiagnostics(diagnostics).errors === 0 && !isStale && other === undefined;
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
  // An empty plan would mean that there is nothing to do.
  const showsPlan = !(isEmptyPlan(plan) && countDiagnostics(smuggled).errors > 0);
  return showRun(run, { diagnostics, remarks, plan, planId, ok, showsPlan });
}

const outOfDate = (out: string, topology: string): Remark => ({
  severity: 'error',
  message: `${out}/ is out of date with ${topology}`,
  hint: 'run "weft compile" and commit the result',
});

/** `weft pr comment`: one comment with the plan, updated in place. */
export async function runComment(
  run: PullRequestRun,
  planned: PlannedPullRequest,
  outputs: StepOutputs,
): Promise<ExitCode> {
  const { host, options, ports, connect, context, call } = run;
  const { plan, planId, topology } = planned;
  if (call.pull === null && call.origin.isInMergeQueue) {
    const remark = inMergeQueue(call.words);
    await announceAlone(run, topology.files.topology, remark);
    const done = { result: 'none', pullRequest: null, comment: null };
    await showRun(run, { diagnostics: topology.diagnostics, remarks: [remark], plan, planId, done });
    await writeOutputs(context, outputs);
    return EXIT.yes;
  }
  const { smuggled } = await checkPullRequest(ports.files, planned, context.headCommit);
  await reportDiagnostics(host, options, smuggled);
  const done = await commentPlan(connect, planned, {
    ...{ repository: call.repository, token: call.token, pull: call.pull, author: call.author },
    isFromFork: call.origin.isFromFork,
    owner: planOwner(plan.fleet, topology.files.topology, checkoutOf(host, topology.files.topology)),
    lead: smuggledText(smuggled, { pathOf: pathFromCheckout(host), words: call.words }),
    runUrl: context.runUrl,
    diff: run.diff,
    report: run.report,
  });
  if (done.kind === 'refused') throw refused(done.refusal, call.words);
  // A shortened comment links to the page of the run.
  const remarks = done.kind === 'read-only-token' ? [readOnlyToken(call.words)] : [];
  await announce(run, remarks);
  if (done.kind === 'read-only-token' || done.namesRun || smuggled.length > 0)
    await summarise(run, { topology: topology.files.topology, remarks, diagnostics: smuggled, plan });
  switch (done.kind) {
    case 'read-only-token':
      break;
    case 'not-needed':
      await printLine(host, 'nothing changes, and there is no comment to update');
      break;
    case 'commented':
      await printLine(host, `${COMMENTED[done.change]}: ${done.url}`);
  }
  await writeOutputs(context, {
    ...outputs,
    ...(done.kind === 'commented' ? { 'comment-url': done.url } : {}),
    'pull-request-number': String(done.pull),
  });
  const diagnostics = [...smuggled, ...topology.diagnostics];
  await showRun(run, {
    ...{ diagnostics, remarks, plan, planId },
    done: {
      result: done.kind,
      pullRequest: { number: done.pull, url: null },
      comment: done.kind === 'commented' ? { change: done.change, url: done.url } : null,
    },
  });
  return countDiagnostics(smuggled).errors === 0 ? EXIT.yes : EXIT.no;
}

const inMergeQueue = ({ pull, queue }: ForgeTerms): Remark => ({
  severity: 'note',
  message: `a ${queue} has no ${pull} to comment on`,
});

const readOnlyToken = ({ pull }: ForgeTerms): Remark => ({
  severity: 'note',
  message: `this token cannot comment on a ${pull} from a fork: the plan is on the page of this run`,
});

const COMMENTED = {
  created: 'commented',
  updated: 'updated the comment',
  unchanged: 'the comment is up to date',
} as const;
