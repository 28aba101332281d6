import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode } from '../../front/host.ts';
import { ForgeError } from '../../github/forge-error.ts';
import { commentText } from '../../github/pull-text.ts';
import { upsertComment } from '../../github/upsert-comment.ts';
import { isEmptyPlan } from '../../plan/plan-changes.ts';
import { forgeOf, type PrCall, say, summarise, writeDocument } from './pr-call.ts';
import type { PrRequest } from './pr-request.ts';
import type { PreparedPlan } from './prepare-plan.ts';
import { type Outputs, writeOutputs } from './write-outputs.ts';

/** `weft pr comment`: one comment with the plan, brought up to date in its place. */
export async function runComment(call: PrCall, prepared: PreparedPlan, outputs: Outputs): Promise<ExitCode> {
  const { plan, files } = prepared;
  const { host, request } = call;
  const { pull, context, author } = request;
  if (pull === null) throw new CommandFailure('which pull request is meant?', 'name it with --pull-request');
  const body = commentText(plan, context.runUrl);
  try {
    const forge = forgeOf(call);
    const done = await upsertComment(forge, {
      pull,
      // As the branch of the manifests: a fleet has one name, whatever its topology's file is called.
      id: plan.fleet,
      body,
      author,
      onlyUpdate: isEmptyPlan(plan),
    });
    // A comment that had to leave something out leads there.
    if (context.runUrl !== undefined && body.includes(context.runUrl))
      await summarise(call, { topology: files.topology, diagnostics: [], plan });
    const url = 'comment' in done ? `: ${done.comment.url}` : '';
    await say(host, `${COMMENTED[done.change]}${url}`);
  } catch (error) {
    if (!isForksToken(error, request)) throw error;
    await summarise(call, { topology: files.topology, diagnostics: [], plan });
    await say(
      host,
      'a pull request from a fork may not be commented on with this token: the plan is on the page of this run',
    );
  }
  await writeOutputs(context, { ...outputs, 'pull-request-number': String(pull) });
  await writeDocument(call, prepared, { pullRequest: { number: pull } });
  return EXIT.yes;
}

const COMMENTED = {
  created: 'commented',
  updated: 'brought the comment up to date',
  unchanged: 'the comment says it already',
  'not-needed': 'nothing changes, and no comment says otherwise',
} as const;

/** GitHub gives runs for forks a token that only reads. Source: docs.github.com, "Events that trigger workflows". */
const isForksToken = (error: unknown, { context, token }: PrRequest): boolean =>
  context.pull?.isFromFork === true &&
  (token === undefined ||
    (error instanceof ForgeError && (error.failure === 'not-permitted' || error.failure === 'not-found')));
