import {
  type Comment,
  type Forge,
  ForgeError,
  type NewPull,
  nameOf,
  type Pull,
  type Repository,
} from '../forge/forge.ts';
import { explainFailure, type GitHub, PER_PAGE } from './ask-github.ts';

/** Lists, opens and edits pull requests of one repository. */
export function pullRequests(
  github: GitHub,
): Pick<Forge, 'openPulls' | 'mergedHeads' | 'lastDeclined' | 'createPull' | 'updatePull' | 'requestReviews'> {
  const { octokit, at, name, ask } = github;
  return {
    openPulls: (branch) => openPulls(github, branch),
    mergedHeads: async (branch, base) =>
      (await closedPulls(github, branch, base)).filter((it) => it.merged_at !== null).map((it) => it.head.sha),
    lastDeclined: async (branch, base) => {
      const [last] = await closedPulls(github, branch, base);
      return last === undefined || last.merged_at !== null ? null : pullOf(last);
    },
    createPull: (pull) => createPull(github, pull),
    updatePull: (number, change) =>
      ask(`update the pull request #${number} of ${name}`, async () => {
        await octokit.rest.pulls.update({ ...at, pull_number: number, ...change });
      }),
    requestReviews: (number, { people, teams }) =>
      ask(`request reviews of #${number} in ${name}`, async () => {
        const reviewers = { reviewers: [...people], team_reviewers: [...teams] };
        await octokit.rest.pulls.requestReviewers({ ...at, pull_number: number, ...reviewers });
      }),
  };
}

/** Lists with GitHub's filter for the branch. */
const openPulls = (github: GitHub, branch: string): Promise<readonly Pull[]> =>
  listOpen(github, branch, { head: `${github.repository.owner}:${branch}` });

/** Lists without that filter, which misses forks of the same owner. Source: peter-evans/create-pull-request. */
const openPullsOfAll = (github: GitHub, branch: string): Promise<readonly Pull[]> => listOpen(github, branch, {});

async function listOpen(
  { octokit, repository, at, name, ask }: GitHub,
  branch: string,
  filter: { readonly head?: string },
): Promise<readonly Pull[]> {
  const found = await ask(`list the pull requests of ${name}`, () =>
    octokit.paginate(octokit.rest.pulls.list, { ...at, state: 'open', per_page: PER_PAGE, ...filter }),
  );
  return found.filter(isFrom(branch, repository)).map(pullOf);
}

/** Reads the latest hundred, the newest first; commits of older ones are in base. */
async function closedPulls({ octokit, repository, at, name, ask }: GitHub, branch: string, base: string) {
  const filter = { state: 'closed', base, head: `${repository.owner}:${branch}`, direction: 'desc' } as const;
  const { data } = await ask(`list the closed pull requests of ${name}`, () =>
    octokit.rest.pulls.list({ ...at, ...filter, per_page: PER_PAGE }),
  );
  return data.filter(isFrom(branch, repository));
}

async function createPull(
  github: GitHub,
  { branch, base, title, body, isDraft }: NewPull,
): Promise<Pull | 'nothing-between'> {
  const { octokit, at, name, ask, makeOnce } = github;
  const operation = `open a pull request in ${name}`;
  const findIn = async (list: typeof openPulls) => (await list(github, branch)).find((it) => it.base === base);
  const created = await ask<Pull | 'nothing-between' | 'exists'>(
    operation,
    () =>
      makeOnce(
        async () =>
          pullOf((await octokit.rest.pulls.create({ ...at, head: branch, base, title, body, draft: isDraft })).data),
        () => findIn(openPulls),
      ),
    { 'No commits between': 'nothing-between', 'A pull request already exists': 'exists' },
  );
  if (created !== 'exists') return created;
  // Another run was faster, or the filter omits it.
  const found = (await findIn(openPulls)) ?? (await findIn(openPullsOfAll));
  if (found !== undefined) return found;
  throw explainFailure({
    operation,
    status: 422,
    reason: 'GitHub reports an existing pull request but does not list it',
  });
}

const pullOf = (it: {
  readonly number: number;
  readonly html_url: string;
  readonly body: string | null;
  readonly base: { readonly ref: string };
  readonly user: { readonly login: string } | null;
}): Pull => ({
  number: it.number,
  url: it.html_url,
  body: it.body ?? '',
  base: it.base.ref,
  author: it.user?.login ?? '',
});

/** True for this repository's branch: a fork of the same owner may have one of the same name. */
const isFrom =
  (branch: string, repository: Repository) =>
  (it: { readonly head: { readonly ref: string; readonly repo: { readonly full_name: string } | null } }): boolean =>
    it.head.ref === branch && it.head.repo?.full_name.toLowerCase() === nameOf(repository).toLowerCase();

/** Labels and assignees; GitHub keeps a pull request and its issue under one number. */
export function labelsAndAssignees({ octokit, at, name, ask }: GitHub): Pick<Forge, 'addLabels' | 'addAssignees'> {
  const { issues } = octokit.rest;
  return {
    addLabels: (pull, labels) =>
      ask(`label #${pull} in ${name}`, async () => {
        await issues.addLabels({ ...at, issue_number: pull, labels: [...labels] });
      }),
    addAssignees: (pull, logins) =>
      ask(`assign #${pull} in ${name}`, async () => {
        const { data } = await issues.addAssignees({ ...at, issue_number: pull, assignees: [...logins] });
        return (data.assignees ?? []).map((it) => it.login);
      }),
  };
}

/** Comments of pull requests, and the login by which weft recognizes its own. */
export function comments({
  octokit,
  at,
  name,
  ask,
  makeOnce,
}: GitHub): Pick<Forge, 'login' | 'listComments' | 'createComment' | 'updateComment' | 'deleteComment'> {
  const { issues, users } = octokit.rest;
  const listComments = async (pull: number): Promise<readonly Comment[]> => {
    const all = await ask(`read the comments of #${pull} in ${name}`, () =>
      octokit.paginate(issues.listComments, { ...at, issue_number: pull, per_page: PER_PAGE }),
    );
    return all.map(commentOf);
  };
  return {
    listComments,
    login: async () => {
      try {
        return await ask('read the owner of the token', async () => (await users.getAuthenticated()).data.login);
      } catch (error) {
        // Compared by status, because the message of another failure may contain the number.
        if (error instanceof ForgeError && (error.status === 403 || error.status === 404)) return null;
        throw error;
      }
    },
    createComment: (pull, body, known) =>
      ask(`comment on #${pull} in ${name}`, () =>
        makeOnce(
          async () => commentOf((await issues.createComment({ ...at, issue_number: pull, body })).data),
          async () => (await listComments(pull)).find(known),
        ),
      ),
    deleteComment: (id) =>
      ask<void>(
        `delete a comment in ${name}`,
        async () => {
          await issues.deleteComment({ ...at, comment_id: id });
        },
        { '404': undefined },
      ),
    updateComment: (id, body) =>
      ask(`update a comment in ${name}`, async () => {
        await issues.updateComment({ ...at, comment_id: id, body });
      }),
  };
}

const commentOf = (it: {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string;
  readonly user: { readonly login: string; readonly type?: string } | null;
}): Comment => ({
  id: it.id,
  url: it.html_url,
  body: it.body ?? '',
  author: it.user?.login ?? '',
  byBot: it.user?.type === 'Bot',
});
