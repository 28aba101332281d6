import { type Need, refuseWithoutAccess } from './access.ts';
import { createComment, deleteComment, listComments, updateComment } from './comments.ts';
import { compareCommits } from './compare.ts';
import { createPull } from './create-pull.ts';
import { createBlob, getBlob } from './git-blobs.ts';
import { createCommit, getCommit } from './git-commits.ts';
import { createRef, deleteRef, getRef, updateRef } from './git-refs.ts';
import { createTree, getTree } from './git-trees.ts';
import { getPull, listPulls } from './list-pulls.ts';
import { addAssignees, addLabels, requestReviewers } from './pull-details.ts';
import { notFound, Refusal, saying } from './refusal.ts';
import { getAuthenticated, getRepository } from './repos.ts';
import type { SeenRequest } from './seen-request.ts';
import { updatePull } from './update-pull.ts';
import { type Answer, type Call, findRepository } from './world.ts';

interface Handled {
  readonly handle: (call: Call) => Promise<Answer>;
  readonly need: Need | null;
}

const needing =
  (what: Need['what'], to: Need['to']) =>
  (handle: Handled['handle']): Handled => ({ handle, need: { what, to } });

const readingContents = needing('contents', 'read');
const writingContents = needing('contents', 'write');
const readingPulls = needing('pulls', 'read');
const writingPulls = needing('pulls', 'write');

/** Every call that weft makes, by GitHub's own name for it, and the permission that it takes. */
const OPERATIONS: Readonly<Record<string, Handled>> = {
  'git/create-blob': writingContents(createBlob),
  'git/create-commit': writingContents(createCommit),
  'git/create-ref': writingContents(createRef),
  'git/create-tree': writingContents(createTree),
  'git/delete-ref': writingContents(deleteRef),
  'git/get-blob': readingContents(getBlob),
  'git/get-commit': readingContents(getCommit),
  'git/get-ref': readingContents(getRef),
  'git/get-tree': readingContents(getTree),
  'git/update-ref': writingContents(updateRef),
  'issues/add-assignees': writingPulls(addAssignees),
  'issues/add-labels': writingPulls(addLabels),
  'issues/create-comment': writingPulls(createComment),
  'issues/delete-comment': writingPulls(deleteComment),
  'issues/list-comments': readingPulls(listComments),
  'issues/update-comment': writingPulls(updateComment),
  'pulls/create': writingPulls(createPull),
  'pulls/get': readingPulls(getPull),
  'pulls/list': readingPulls(listPulls),
  'pulls/request-reviewers': writingPulls(requestReviewers),
  'pulls/update': writingPulls(updatePull),
  'repos/compare-commits-with-basehead': readingContents(compareCommits),
  'repos/get': needing('metadata', 'read')(getRepository),
  'users/get-authenticated': { handle: getAuthenticated, need: null },
};

export const OPERATION_IDS: readonly string[] = Object.keys(OPERATIONS);

/** Does what a request asks for; every refusal is an answer, and only a bug of the fake is thrown. */
export async function perform(seen: SeenRequest, from: Pick<Call, 'world' | 'caller'>): Promise<Answer> {
  try {
    const { route, path } = seen.match ?? notFound();
    const { handle, need } = OPERATIONS[route.id] ?? notFound();
    const call = { ...from, path, query: seen.query, body: seen.body, rawPath: seen.url.pathname };
    if (need === null) {
      if (call.caller === null) throw new Refusal(saying(401, 'Requires authentication'));
      return await handle({ ...call, repository: null });
    }
    const repository = findRepository(call.world, `${path['owner']}/${path['repo']}`) ?? notFound();
    refuseWithoutAccess(call.caller, repository, need);
    return await handle({ ...call, repository });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}
