import { bug } from '../../base/diagnostics/outcome.ts';
import { type Comment, type Forge, type ForgeContent, ForgeError, type NewPull, type Pull } from '../forge/forge.ts';
import { hasNoCommits, openOnce } from '../http/ask-forge.ts';
import { type AnswerFields, fieldsOf, ownerOfToken } from '../http/rest-client.ts';
import { type GitLab, PER_PAGE } from './ask-gitlab.ts';

type MergeRequests = Pick<Forge, 'openPulls' | 'mergedHeads' | 'lastDeclined' | 'createPull' | 'updatePull'>;

/** Marks a draft. Source: docs.gitlab.com, "Draft merge requests". */
const DRAFT_PREFIX = 'Draft: ';

/** Lists, opens and edits merge requests of one project. */
export function mergeRequests(gitlab: GitLab, content: Pick<ForgeContent, 'headOf' | 'compare'>): MergeRequests {
  const { at, name, ask, send } = gitlab;
  return {
    openPulls: (branch) => openPulls(gitlab, branch),
    mergedHeads: (branch, base) => mergedHeads(gitlab, branch, base),
    lastDeclined: (branch, base) => lastDeclined(gitlab, branch, base),
    createPull: async (pull) => ((await hasNoCommits(content, pull)) ? 'nothing-between' : createPull(gitlab, pull)),
    updatePull: (number, { body, state }) =>
      ask(`update the merge request !${number} of ${name}`, async () => {
        const change = {
          ...(body === undefined ? {} : { description: shownText(body) }),
          ...(state === undefined ? {} : { state_event: 'close' }),
        };
        await send({ method: 'PUT', path: `${at}/merge_requests/${number}`, body: change });
      }),
  };
}

function openPulls({ at, name, ask, list }: GitLab, branch: string): Promise<readonly Pull[]> {
  const query = { state: 'opened', source_branch: branch, order_by: 'created_at', sort: 'desc' };
  return ask(`list the merge requests of ${name}`, async () =>
    (await list(`${at}/merge_requests`, query)).filter(isFrom(branch)).map(pullOf),
  );
}

/** Reads the latest hundred; commits of older ones are in base. A merge request without its commits has no head. */
function mergedHeads({ at, name, ask, list }: GitLab, branch: string, base: string): Promise<readonly string[]> {
  const query = {
    ...{ state: 'merged', source_branch: branch, target_branch: base },
    ...{ order_by: 'created_at', sort: 'desc' },
  };
  return ask(`list the merged merge requests of ${name}`, async () =>
    (await list(`${at}/merge_requests`, query, PER_PAGE))
      .filter(isFrom(branch))
      .map((it) => it.textOrNone('sha'))
      .filter((it) => it !== ''),
  );
}

function lastDeclined({ at, name, ask, list }: GitLab, branch: string, base: string): Promise<Pull | null> {
  const query = { source_branch: branch, target_branch: base, order_by: 'created_at', sort: 'desc' };
  return ask(`list the closed merge requests of ${name}`, async () => {
    const [last] = (await list(`${at}/merge_requests`, { state: 'all', ...query }, PER_PAGE)).filter(isFrom(branch));
    return last?.text('state') === 'closed' ? pullOf(last) : null;
  });
}

function createPull(gitlab: GitLab, { branch, base, title, body, isDraft }: NewPull): Promise<Pull> {
  const { at, name, send } = gitlab;
  const request = {
    source_branch: branch,
    target_branch: base,
    title: isDraft ? `${DRAFT_PREFIX}${title}` : title,
    description: shownText(body),
    // weft keeps the branch by default, regardless of the project's setting.
    remove_source_branch: false,
  };
  return openOnce(gitlab, {
    operation: `open a merge request in ${name}`,
    open: async () =>
      pullOf(fieldsOf((await send({ method: 'POST', path: `${at}/merge_requests`, body: request })).body)),
    find: async () => (await openPulls(gitlab, branch)).find((it) => it.base === base),
    exists: '409',
    unlisted: {
      reason: 'GitLab reports an existing merge request but does not list it',
      hint: 'look for it among the merge requests of the project',
    },
  });
}

const pullOf = (it: AnswerFields): Pull => ({
  number: it.number('iid'),
  url: it.text('web_url'),
  body: writtenText(it.textOrNone('description')),
  base: it.text('target_branch'),
  author: it.fieldsOrNull('author')?.text('username') ?? '',
});

/** True for a merge request from this project. A fork may have a branch of the same name, or be deleted: no number. */
const isFrom =
  (branch: string) =>
  (it: AnswerFields): boolean =>
    it.text('source_branch') === branch && it.numberOrNull('source_project_id') === it.number('target_project_id');

type People = Pick<Forge, 'addLabels' | 'addAssignees' | 'requestReviews'>;

/** Labels, assignees and reviewers. People are numbers, and lists of them are set as a whole. */
export function peopleAndLabels(gitlab: GitLab): People {
  const { name, ask } = gitlab;
  return {
    addLabels: (pull, labels) => ask(`label !${pull} in ${name}`, () => addLabels(gitlab, pull, labels)),
    addAssignees: (pull, logins) =>
      ask(`assign !${pull} in ${name}`, async () => {
        const found = await usersOf(gitlab, logins);
        return (await addPeople(gitlab, pull, 'assignee', [...found.values()])).map((it) => it.text('username'));
      }),
    requestReviews: (pull, { people, teams }) => {
      const operation = `request reviews of !${pull} in ${name}`;
      return ask(operation, async () => {
        if (teams.length > 0)
          throw refusal(operation, 'GitLab requests reviews from people, and not from groups', 'use an approval rule');
        const found = await usersOf(gitlab, people);
        const missing = people.filter((it) => !found.has(it.toLowerCase()));
        if (missing.length > 0)
          throw refusal(operation, `there is no user ${missing.join(', ')}`, 'name people by their user names');
        const asked = await addPeople(gitlab, pull, 'reviewer', [...found.values()]);
        const names = new Set(asked.map((it) => it.text('username').toLowerCase()));
        const left = people.filter((it) => !names.has(it.toLowerCase()));
        if (left.length > 0)
          throw refusal(
            operation,
            'GitLab has left them out: only members can review, and in some plans only one of them',
            'request the review by hand',
          );
      });
    },
  };
}

const refusal = (operation: string, reason: string, hint: string): ForgeError =>
  new ForgeError('refused', { operation, reason, status: 0, hint });

/** Adds labels, and creates missing ones if the token may. Source: docs.gitlab.com, "Merge requests API". */
async function addLabels({ at, send, name }: GitLab, pull: number, labels: readonly string[]): Promise<void> {
  const operation = `label !${pull} in ${name}`;
  const wrong = labels.filter((it) => it.includes(','));
  if (wrong.length > 0) throw refusal(operation, 'a label of GitLab has no comma in it', 'choose another name');
  const body = { add_labels: labels.join(',') };
  const answer = await send({ method: 'PUT', path: `${at}/merge_requests/${pull}`, body });
  const present = new Set(labelsOf(answer.body).map((it) => it.toLowerCase()));
  const left = labels.filter((it) => !present.has(it.toLowerCase()));
  if (left.length > 0)
    throw refusal(operation, `GitLab has left out ${left.join(', ')}`, 'create the labels in the project');
}

function labelsOf(body: unknown): readonly string[] {
  const labels: unknown = typeof body === 'object' && body !== null && 'labels' in body ? body.labels : undefined;
  return Array.isArray(labels) ? labels.filter((it): it is string => typeof it === 'string') : [];
}

/** IDs by user name in lower case; unknown users are omitted. */
async function usersOf({ list }: GitLab, logins: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const login of logins) {
    const [user] = await list('/users', { username: login }, 1);
    if (user !== undefined) found.set(login.toLowerCase(), user.number('id'));
  }
  return found;
}

/** Adds people, and returns all of them afterwards. Some plans of GitLab allow only one. */
async function addPeople(
  { at, send }: GitLab,
  pull: number,
  kind: 'assignee' | 'reviewer',
  ids: readonly number[],
): Promise<readonly AnswerFields[]> {
  const path = `${at}/merge_requests/${pull}`;
  const peopleIn = (body: unknown): readonly AnswerFields[] => fieldsOf(body).list(`${kind}s`);
  const present = peopleIn((await send({ method: 'GET', path })).body);
  const known = present.map((it) => it.number('id'));
  const all = [...new Set([...known, ...ids])];
  if (all.length === known.length) return present;
  return peopleIn((await send({ method: 'PUT', path, body: { [`${kind}_ids`]: all } })).body);
}

/** Comments of merge requests, which GitLab calls notes, and the user name by which weft recognizes its own. */
export function notes(
  { at, name, ask, send, list, makeOnce }: GitLab,
  webUrl: string,
): Pick<Forge, 'login' | 'listComments' | 'createComment' | 'updateComment' | 'deleteComment'> {
  /** The API reads a note only through its merge request. */
  const pullOf = new Map<number, number>();
  const commentOf = (pull: number, it: AnswerFields): Comment => {
    const id = it.number('id');
    pullOf.set(id, pull);
    const author = it.fieldsOrNull('author')?.text('username') ?? '';
    const url = `${webUrl}/-/merge_requests/${pull}#note_${id}`;
    return { id, url, body: writtenText(it.textOrNone('body')), author, byBot: isBot(author) };
  };
  const pathOf = (id: number): string =>
    `${at}/merge_requests/${pullOf.get(id) ?? bug(`note ${id} was never read`)}/notes/${id}`;
  const listComments = (pull: number): Promise<readonly Comment[]> =>
    ask(`read the comments of !${pull} in ${name}`, async () => {
      const query = { sort: 'asc', order_by: 'created_at' };
      const all = await list(`${at}/merge_requests/${pull}/notes`, query);
      // System notes are GitLab's own log of changes.
      return all.filter((it) => !it.flag('system')).map((it) => commentOf(pull, it));
    });
  return {
    listComments,
    login: () => ownerOfToken({ ask, send }, 'username'),
    createComment: (pull, body, known) =>
      ask(`comment on !${pull} in ${name}`, () =>
        makeOnce(
          async () => {
            const path = `${at}/merge_requests/${pull}/notes`;
            const answer = await send({ method: 'POST', path, body: { body: shownText(body) } });
            return commentOf(pull, fieldsOf(answer.body));
          },
          async () => (await listComments(pull)).find(known),
        ),
      ),
    deleteComment: (id) =>
      ask<void>(
        `delete a comment in ${name}`,
        async () => {
          await send({ method: 'DELETE', path: pathOf(id) });
        },
        { '404': undefined },
      ),
    updateComment: (id, body) =>
      ask(`update a comment in ${name}`, async () => {
        await send({ method: 'PUT', path: pathOf(id), body: { body: shownText(body) } });
      }),
  };
}

/** True for the user of a project or group token. Source: docs.gitlab.com, "Bot users for projects". */
const isBot = (login: string): boolean => /^(?:project|group)_\d+_bot/.test(login);

/**
 * Markdown that GitLab stores unchanged. A line that begins with a slash and the name of a quick action (`/merge`,
 * `/close`) would run with the rights of the token, and disappear, so it gets a backslash, which is not shown. GitLab
 * runs none in code, where the backslash is shown. Source: docs.gitlab.com, "GitLab quick actions".
 */
const shownText = (markdown: string): string => markdown.replace(/^([ \t]*)\/(?=\w)/gm, '$1\\/');

/** The written text, from the stored one. */
const writtenText = (stored: string): string => stored.replace(/^([ \t]*)\\\/(?=\w)/gm, '$1/');
