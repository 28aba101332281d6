import { accessOf } from './access.ts';
import { dateOf } from './commit-object.ts';
import { findPull } from './list-pulls.ts';
import { printPull } from './print-objects.ts';
import { isSameHead, refuseCustom, refuseField, refuseLong } from './pull-rules.ts';
import { refuse, refuseValidation } from './refusal.ts';
import { fetchHead, hasNothingNew } from './settle-pulls.ts';
import { type Answer, type Call, callerOf, type Pull, type Repository, repositoryOf } from './world.ts';

interface PullEdit {
  readonly title?: string;
  readonly body?: string;
  readonly state?: 'open' | 'closed';
  readonly base?: string;
}

export async function updatePull(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const pull = findPull(repository, call.path['pull_number']);
  const edit = (call.body ?? {}) as PullEdit;
  const caller = callerOf(call);
  // Only the author and those who may write.
  if (accessOf(caller, repository, 'pulls') !== 'write' && pull.author !== caller) refuse(403, 'Forbidden');
  refuseLong(edit);
  if (edit.title === '') refuseValidation({ resource: 'PullRequest', code: 'missing_field', field: 'title' });
  if (edit.base !== undefined && edit.base !== pull.base) await rebase(repository, pull, edit.base);
  if (edit.state === 'open' && pull.state === 'closed') await reopen(repository, pull);
  const now = dateOf(call.world.clock.now());
  if (edit.state === 'closed' && pull.state === 'open') pull.closedAt = now;
  Object.assign(pull, {
    title: edit.title ?? pull.title,
    body: edit.body ?? pull.body,
    state: edit.state ?? pull.state,
    updatedAt: now,
  });
  return { status: 200, body: printPull(pull, repository, 'pull-request') };
}

async function rebase(repository: Repository, pull: Pull, base: string): Promise<void> {
  const commit = repository.store.read(`refs/heads/${base}`) ?? refuseField('base');
  if (pull.state === 'closed') refuseCustom('Cannot change the base branch of a closed pull request.');
  pull.base = base;
  pull.baseSha = commit.id;
}

async function reopen(repository: Repository, pull: Pull): Promise<void> {
  const head = fetchHead(repository, pull.head, pull.number);
  const twin = repository.pulls.some((it) => it.state === 'open' && it.base === pull.base && isSameHead(it, pull.head));
  const isGone = head === null || hasNothingNew(repository, pull.baseSha, head);
  if (twin || isGone || pull.mergedAt !== null) {
    refuseValidation({ resource: 'PullRequest', code: 'custom', field: 'state', message: 'state cannot be changed.' });
  }
  pull.headSha = head ?? pull.headSha;
  pull.closedAt = null;
}
