import { paged } from './paging.ts';
import { printPull } from './print-objects.ts';
import { notFound } from './refusal.ts';
import { type Answer, type Call, type Pull, type Repository, repositoryOf } from './world.ts';

export async function listPulls(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { state = 'open', head, base, sort = 'created', direction } = call.query;
  const isWanted = (it: Pull): boolean =>
    (state === 'all' || it.state === state) &&
    (base === undefined || it.base === base) &&
    (head === undefined || isFrom(it, head, repository));
  const key = (it: Pull): string | number => (sort === 'updated' ? it.updatedAt : it.number);
  const found = repository.pulls.filter(isWanted).sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  const isDescending = (direction ?? (sort === 'created' ? 'desc' : 'asc')) === 'desc';
  return paged(call, isDescending ? found.reverse() : found, (it) => printPull(it, repository, 'pull-request-simple'));
}

/**
 * The filter `owner:branch`. Without an owner GitHub does not filter at all, and a fork that has the same owner as the
 * repository is missed. Source: peter-evans/create-pull-request, src/github-helper.ts.
 */
function isFrom({ head }: Pull, filter: string, into: Repository): boolean {
  const [owner = '', ...branch] = filter.split(':');
  if (branch.length === 0) return true;
  const isHidden = head.repository !== into && head.repository.owner === into.owner;
  return !isHidden && head.repository.owner === owner && head.branch === branch.join(':');
}

export const findPull = ({ pulls }: Repository, number: string | undefined): Pull =>
  pulls.find((it) => String(it.number) === number) ?? notFound();

export async function getPull(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  return { status: 200, body: printPull(findPull(repository, call.path['pull_number']), repository, 'pull-request') };
}
