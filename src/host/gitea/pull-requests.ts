import type { Comment, Forge, ForgeContent, NewPull, Pull } from '../forge/forge.ts';
import { hasNoCommits, openOnce } from '../http/ask-forge.ts';
import { type AnswerFields, fieldsOf, listOf, ownerOfToken } from '../http/rest-client.ts';
import { type Gitea, PER_PAGE } from './ask-gitea.ts';

type PullRequests = Pick<
  Forge,
  'openPulls' | 'mergedHeads' | 'lastDeclined' | 'createPull' | 'updatePull' | 'requestReviews'
>;

/** Marks a draft. Source: Gitea, WORK_IN_PROGRESS_PREFIXES of the section repository.pull-request. */
const DRAFT_PREFIX = 'WIP: ';

/** Lists, opens and edits pull requests of one repository. */
export function pullRequests(gitea: Gitea, content: Pick<ForgeContent, 'headOf' | 'compare'>): PullRequests {
  const { at, name, ask, send } = gitea;
  return {
    openPulls: (branch) => openPulls(gitea, branch),
    mergedHeads: (branch, base) => mergedHeads(gitea, branch, base),
    lastDeclined: async (branch, base) => {
      const closed = await gitea.ask(`list the closed pull requests of ${gitea.name}`, () =>
        closedPulls(gitea, branch, base),
      );
      const last = closed.toSorted((a, b) => b.number('number') - a.number('number'))[0];
      return last === undefined || last.flag('merged') ? null : pullOf(last);
    },
    createPull: async (pull) => ((await hasNoCommits(content, pull)) ? 'nothing-between' : createPull(gitea, pull)),
    updatePull: (number, change) =>
      ask(`update the pull request #${number} of ${name}`, async () => {
        await send({ method: 'PATCH', path: `${at}/pulls/${number}`, body: change });
      }),
    requestReviews: (number, { people, teams }) =>
      ask(`request reviews of #${number} in ${name}`, async () => {
        const body = { reviewers: people, team_reviewers: teams };
        await send({ method: 'POST', path: `${at}/pulls/${number}/requested_reviewers`, body, mayRepeat: true });
      }),
  };
}

/** Lists all open pull requests, because the API cannot filter by branch. */
function openPulls({ at, name, ask, list }: Gitea, branch: string): Promise<readonly Pull[]> {
  const query = { state: 'open', limit: PER_PAGE };
  return ask(`list the pull requests of ${name}`, async () =>
    (await list(`${at}/pulls`, query)).filter(isFrom(branch)).map(pullOf),
  );
}

/**
 * The number of closed pull requests into a base that are read; commits of older ones are in base. Releases before 1.25
 * ignore the order, and begin with the newest pull request.
 */
const MAX_CLOSED = 100;

async function closedPulls({ at, list }: Gitea, branch: string, base: string): Promise<readonly AnswerFields[]> {
  const query = { state: 'closed', sort: 'recentclose', base_branch: base, limit: PER_PAGE };
  const closed = await list(`${at}/pulls`, query, MAX_CLOSED);
  return closed.filter((it) => isFrom(branch)(it) && it.fields('base').text('ref') === base);
}

/**
 * Many releases report the present head of the branch for a merged pull request, and would count later commits as
 * merged, so the ref of the pull request is read. Source: Gitea, services/convert/pull.go (ToAPIPullRequest).
 */
async function mergedHeads(gitea: Gitea, branch: string, base: string): Promise<readonly string[]> {
  const { at, name, ask, send } = gitea;
  return ask(`list the merged pull requests of ${name}`, async () => {
    const closed = await closedPulls(gitea, branch, base);
    const merged = closed.filter((it) => it.flag('merged')).map((it) => it.number('number'));
    const heads = [];
    for (const number of merged) {
      const ref = `pull/${number}/head`;
      const { body } = await send({ method: 'GET', path: `${at}/git/refs/${ref}` });
      const found = listOf(body).find((it) => it.text('ref') === `refs/${ref}`);
      if (found !== undefined) heads.push(found.fields('object').text('sha'));
    }
    return heads;
  });
}

function createPull(gitea: Gitea, { branch, base, title, body, isDraft }: NewPull): Promise<Pull> {
  const { at, name, product, send } = gitea;
  const request = { head: branch, base, title: isDraft ? `${DRAFT_PREFIX}${title}` : title, body };
  return openOnce(gitea, {
    operation: `open a pull request in ${name}`,
    open: async () => pullOf(fieldsOf((await send({ method: 'POST', path: `${at}/pulls`, body: request })).body)),
    find: async () => (await openPulls(gitea, branch)).find((it) => it.base === base),
    exists: 'already exists',
    unlisted: {
      reason: `${product} reports an existing pull request but does not list it`,
      hint: 'look for it among the pull requests of the repository',
    },
  });
}

const pullOf = (it: AnswerFields): Pull => ({
  number: it.number('number'),
  url: it.text('html_url'),
  body: it.textOrNone('body'),
  base: it.fields('base').text('ref'),
  author: it.fieldsOrNull('user')?.text('login') ?? '',
});

/** True if from this repository, not a fork. `label` keeps the name of a deleted branch; `ref` does not. */
const isFrom =
  (branch: string) =>
  (it: AnswerFields): boolean => {
    const [head, base] = [it.fields('head'), it.fields('base')];
    return head.text('label') === branch && head.number('repo_id') === base.number('repo_id');
  };

/** The color of new labels: the gray that GitHub gives to labels without one. */
const COLOR = '#ededed';

/** Labels and assignees; Gitea keeps a pull request and its issue under one number. */
export function labelsAndAssignees(gitea: Gitea): Pick<Forge, 'addLabels' | 'addAssignees'> {
  const { name, ask } = gitea;
  return {
    addLabels: (pull, labels) => ask(`label #${pull} in ${name}`, () => addLabels(gitea, pull, labels)),
    addAssignees: (pull, logins) => ask(`assign #${pull} in ${name}`, () => addAssignees(gitea, pull, logins)),
  };
}

/**
 * Adds labels by name, which is possible since 1.22. Names include labels of the organization, which the token may not
 * list. Gitea ignores unknown names, and reports all labels of the pull request. Source: go-gitea/gitea#30943.
 */
async function addLabels(gitea: Gitea, pull: number, labels: readonly string[]): Promise<void> {
  const add = async (names: readonly string[]): Promise<ReadonlySet<string>> => {
    const path = `${gitea.at}/issues/${pull}/labels`;
    const { body } = await gitea.send({ method: 'POST', path, body: { labels: names }, mayRepeat: true });
    return new Set(listOf(body).map((it) => it.text('name')));
  };
  const added = await add(labels);
  for (const label of labels.filter((it) => !added.has(it))) {
    await gitea.makeOnce(
      async () => {
        await gitea.send({ method: 'POST', path: `${gitea.at}/labels`, body: { name: label, color: COLOR } });
        return add([label]);
      },
      // A repetition would create a second label of that name.
      async () => {
        const known = await add([label]);
        return known.has(label) ? known : undefined;
      },
    );
  }
}

/** Adds assignees. They can only be set as a whole, and Gitea refuses all of them for an unknown name. */
async function addAssignees(
  { at, send, list }: Gitea,
  pull: number,
  logins: readonly string[],
): Promise<readonly string[]> {
  const path = `${at}/pulls/${pull}`;
  const assigneesOf = (body: unknown): readonly string[] =>
    fieldsOf(body)
      .list('assignees')
      .map((it) => it.text('login'));
  const present = assigneesOf((await send({ method: 'GET', path })).body);
  const possible = new Set((await list(`${at}/assignees`)).map((it) => it.text('login').toLowerCase()));
  const more = logins.filter((it) => possible.has(it.toLowerCase()));
  if (more.length === 0) return present;
  return assigneesOf((await send({ method: 'PATCH', path, body: { assignees: [...present, ...more] } })).body);
}

/** Comments of pull requests, and the login by which weft recognizes its own. */
export function comments({
  at,
  name,
  ask,
  send,
  list,
  makeOnce,
}: Gitea): Pick<Forge, 'login' | 'listComments' | 'createComment' | 'updateComment' | 'deleteComment'> {
  const listComments = (pull: number): Promise<readonly Comment[]> =>
    ask(`read the comments of #${pull} in ${name}`, async () =>
      (await list(`${at}/issues/${pull}/comments`)).map(commentOf),
    );
  return {
    listComments,
    login: () => ownerOfToken({ ask, send }, 'login'),
    createComment: (pull, body, known) =>
      ask(`comment on #${pull} in ${name}`, () =>
        makeOnce(
          async () =>
            commentOf(
              fieldsOf((await send({ method: 'POST', path: `${at}/issues/${pull}/comments`, body: { body } })).body),
            ),
          async () => (await listComments(pull)).find(known),
        ),
      ),
    deleteComment: (id) =>
      ask<void>(
        `delete a comment in ${name}`,
        async () => {
          await send({ method: 'DELETE', path: `${at}/issues/comments/${id}` });
        },
        { '404': undefined },
      ),
    updateComment: (id, body) =>
      ask(`update a comment in ${name}`, async () => {
        await send({ method: 'PATCH', path: `${at}/issues/comments/${id}`, body: { body } });
      }),
  };
}

/** The account behind the tokens of jobs. Source: Gitea, models/user/user_system.go (ActionsUserID); Forgejo kept it. */
const ACTIONS_USER_ID = -2;

function commentOf(it: AnswerFields): Comment {
  const user = it.fieldsOrNull('user');
  return {
    id: it.number('id'),
    url: it.text('html_url'),
    body: it.textOrNone('body'),
    author: user?.text('login') ?? '',
    byBot: user?.number('id') === ACTIONS_USER_ID,
  };
}
