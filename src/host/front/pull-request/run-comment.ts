import { countDiagnostics } from '../../../answers/report/count-diagnostics.ts';
import type { Remark } from '../../../answers/report/remark.ts';
import { checkPullRequest } from '../../app/check-pull-request.ts';
import { commentPlan } from '../../app/comment-plan.ts';
import type { PlannedPullRequest } from '../../app/plan-pull-request.ts';
import { planOwner } from '../../app/topology-source.ts';
import { smuggledText } from '../../forge/smuggled-text.ts';
import { EXIT, type ExitCode } from '../host.ts';
import { refused } from '../refused.ts';
import { pathFromCheckout, reportDiagnostics } from '../report-diagnostics.ts';
import { announce, announceAlone } from './announce.ts';
import { checkoutOf, type PullRequestRun, printLine, summarise, writeDocument } from './pull-request-run.ts';
import { type StepOutputs, writeOutputs } from './write-outputs.ts';

/** `weft pr comment`: one comment with the plan, updated in place. */
export async function runComment(
  run: PullRequestRun,
  planned: PlannedPullRequest,
  outputs: StepOutputs,
): Promise<ExitCode> {
  const { host, options, ports, connect, context, call } = run;
  const { plan, planId, topology } = planned;
  if (call.pull === null && call.origin.isInMergeQueue) {
    await announceAlone(run, topology.files.topology, MERGE_QUEUE);
    await writeDocument(
      run,
      { diagnostics: topology.diagnostics, remarks: [MERGE_QUEUE], plan, planId },
      { result: 'none', pullRequest: null, comment: null },
    );
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
  });
  if (done.kind === 'refused') throw refused(done.refusal);
  // A shortened comment links to the page of the run.
  const remarks = done.kind === 'read-only-token' ? [READ_ONLY_TOKEN] : [];
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
  await writeDocument(
    run,
    { diagnostics, remarks, plan, planId },
    {
      result: done.kind,
      pullRequest: { number: done.pull, url: null },
      comment: done.kind === 'commented' ? { change: done.change, url: done.url } : null,
    },
  );
  return countDiagnostics(smuggled).errors === 0 ? EXIT.yes : EXIT.no;
}

const MERGE_QUEUE: Remark = { severity: 'note', message: 'a merge queue has no pull request to comment on' };

const READ_ONLY_TOKEN: Remark = {
  severity: 'note',
  message: 'this token cannot comment on a pull request from a fork: the plan is on the page of this run',
};

const COMMENTED = {
  created: 'commented',
  updated: 'updated the comment',
  unchanged: 'the comment is up to date',
} as const;
