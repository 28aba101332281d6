import { accessOf } from './access.ts';
import { dateOf } from './commit-object.ts';
import { printPull } from './print-objects.ts';
import { isSameHead, noDetails, refuseCustom, refuseField, refuseLong } from './pull-rules.ts';
import { refuse, refuseValidation } from './refusal.ts';
import { fetchHead, hasNothingNew } from './settle-pulls.ts';
import { type Answer, type Call, callerOf, fullName, type Pull, type Repository, repositoryOf } from './world.ts';

interface WantedPull {
  readonly title?: string;
  readonly head: string;
  readonly head_repo?: string;
  readonly base: string;
  readonly body?: string;
  readonly maintainer_can_modify?: boolean;
  readonly draft?: boolean;
}

export async function createPull(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const caller = callerOf(call);
  const { title, base, body = null, ...wanted } = call.body as WantedPull;
  if (caller.kind === 'bot' && !repository.actionsMayOpenPulls) {
    refuse(403, 'GitHub Actions is not permitted to create or approve pull requests.');
  }
  if (title === undefined || title === '') {
    return refuseValidation({ resource: 'PullRequest', code: 'missing_field', field: 'title' });
  }
  refuseLong({ title, body });
  const { id: baseSha } = repository.store.read(`refs/heads/${base}`) ?? refuseField('base');
  const number = 1 + Math.max(0, ...repository.pulls.map((it) => it.number));
  const head = headOf(call, repository, wanted);
  const headSha = fetchHead(repository, head, number) ?? refuseField('head');
  const label = `${head.repository.owner}:${head.branch}`;
  if (hasNothingNew(repository, baseSha, headSha)) refuseCustom(`No commits between ${base} and ${label}`);
  if (repository.pulls.some((it) => it.state === 'open' && it.base === base && isSameHead(it, head))) {
    refuseCustom(`A pull request already exists for ${label}.`);
  }
  const isForeign = accessOf(caller, head.repository, 'contents') !== 'write';
  if (wanted.maintainer_can_modify === true && head.repository !== repository && isForeign) {
    refuseCustom("Fork collab can't be granted by someone without permission");
  }
  const isDraft = wanted.draft === true;
  // In the words that other clients of this call look for.
  if (isDraft && !repository.hasDrafts) refuse(422, 'Draft pull requests are not supported in this repository.');
  const now = dateOf(call.world.clock.now());
  const times = { createdAt: now, updatedAt: now, closedAt: null, mergedAt: null };
  const id = call.world.nextId();
  const pull: Pull = {
    number,
    id,
    author: caller,
    head,
    headSha,
    base,
    baseSha,
    title,
    body,
    state: 'open',
    ...times,
    isDraft,
    ...noDetails(),
  };
  repository.pulls.push(pull);
  return { status: 201, body: printPull(pull, repository, 'pull-request') };
}

/** `branch`, or `owner:branch` of a fork; `head_repo` distinguishes forks of one owner. */
function headOf(
  { world }: Call,
  into: Repository,
  { head, head_repo }: Pick<WantedPull, 'head' | 'head_repo'>,
): Pull['head'] {
  const [owner = '', ...rest] = head.includes(':') ? head.split(':') : [into.owner, head];
  const isAsked = (it: Repository): boolean =>
    head_repo === undefined ? it === into || it.parent === into : [it.name, fullName(it)].includes(head_repo);
  const found = world.repositories.filter((it) => it.owner === owner && isAsked(it));
  const repository = found.find((it) => it === into) ?? found[0] ?? refuseField('head');
  return { repository, branch: rest.join(':') };
}
