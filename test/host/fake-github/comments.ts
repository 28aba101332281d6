import { accessOf } from './access.ts';
import { dateOf } from './commit-object.ts';
import { findPull } from './list-pulls.ts';
import { paged } from './paging.ts';
import { printComment } from './print-objects.ts';
import { LONGEST_BODY } from './pull-rules.ts';
import { notFound, refuse, refuseValidation } from './refusal.ts';
import {
  type Account,
  type Answer,
  type Call,
  type Comment,
  callerOf,
  type Repository,
  repositoryOf,
  type World,
} from './world.ts';

/** Issues and pull requests share their numbers, and this GitHub has no other issues. The oldest comes first. */
export async function listComments(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { number } = findPull(repository, call.path['issue_number']);
  const since = call.query['since'] ?? '';
  const found = repository.comments.filter((it) => it.pull === number && it.updatedAt >= since);
  return paged(call, found, (it) => printComment(it, repository));
}

export async function createComment(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { number } = findPull(repository, call.path['issue_number']);
  const { body } = call.body as { readonly body: string };
  refuseBody(body);
  const comment = addComment(call.world, repository, { pull: number, author: callerOf(call), body });
  return { status: 201, body: printComment(comment, repository) };
}

export function addComment(
  { clock, nextId }: World,
  repository: Repository,
  it: { readonly pull: number; readonly author: Account; readonly body: string },
): Comment {
  const now = dateOf(clock.now());
  const comment: Comment = { id: nextId(), ...it, createdAt: now, updatedAt: now, minimized: false };
  repository.comments.push(comment);
  return comment;
}

export async function updateComment(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const caller = callerOf(call);
  const { body } = call.body as { readonly body: string };
  const comment = repository.comments.find((it) => String(it.id) === call.path['comment_id']) ?? notFound();
  // Others' comments are for those who may write.
  if (accessOf(caller, repository, 'pulls') !== 'write' && comment.author !== caller) refuse(403, 'Forbidden');
  refuseBody(body);
  comment.body = body;
  comment.updatedAt = dateOf(call.world.clock.now());
  return { status: 200, body: printComment(comment, repository) };
}

export async function deleteComment(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const caller = callerOf(call);
  const at = repository.comments.findIndex((it) => String(it.id) === call.path['comment_id']);
  const comment = repository.comments[at] ?? notFound();
  if (accessOf(caller, repository, 'pulls') !== 'write' && comment.author !== caller) refuse(403, 'Forbidden');
  repository.comments.splice(at, 1);
  return { status: 204, body: null };
}

/** Source: telia-oss/github-pr-resource#259 (the words that GitHub uses since 2021). */
function refuseBody(body: string): void {
  if (body.trim() === '') refuseValidation({ resource: 'IssueComment', code: 'missing_field', field: 'body' });
  if ([...body].length <= LONGEST_BODY) return;
  const message = `Body is too long (maximum is ${LONGEST_BODY} characters)`;
  refuseValidation({ resource: 'IssueComment', code: 'unprocessable', field: 'data', message });
}
