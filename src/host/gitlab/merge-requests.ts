import type { Forge, ForgeContent, NewPull, Pull } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type AnswerFields, fieldsOf } from '../http/read-answer.ts';
import { type GitLab, PER_PAGE } from './ask-gitlab.ts';
import { shownText, writtenText } from './notes.ts';

type MergeRequests = Pick<Forge, 'openPulls' | 'mergedHeads' | 'createPull' | 'updatePull'>;

/** Marks a draft. Source: docs.gitlab.com, "Draft merge requests". */
const DRAFT_PREFIX = 'Draft: ';

/** Lists, opens and edits merge requests of one project. */
export function mergeRequests(gitlab: GitLab, content: Pick<ForgeContent, 'headOf' | 'compare'>): MergeRequests {
  const { at, name, ask, send } = gitlab;
  return {
    openPulls: (branch) => openPulls(gitlab, branch),
    mergedHeads: (branch, base) => mergedHeads(gitlab, branch, base),
    createPull: async (pull) => {
      // GitLab opens merge requests without commits, too.
      const [base, head] = [await content.headOf(pull.base), await content.headOf(pull.branch)];
      if (base !== null && head !== null && (await content.compare(base, head)).ahead === 0) return 'nothing-between';
      return createPull(gitlab, pull);
    },
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

async function createPull(gitlab: GitLab, { branch, base, title, body, isDraft }: NewPull): Promise<Pull> {
  const { at, name, ask, send, makeOnce } = gitlab;
  const operation = `open a merge request in ${name}`;
  const find = async (): Promise<Pull | undefined> => (await openPulls(gitlab, branch)).find((it) => it.base === base);
  const request = {
    source_branch: branch,
    target_branch: base,
    title: isDraft ? `${DRAFT_PREFIX}${title}` : title,
    description: shownText(body),
    // weft keeps the branch by default, regardless of the project's setting.
    remove_source_branch: false,
  };
  const created = await ask<Pull | 'exists'>(
    operation,
    () =>
      makeOnce(
        async () =>
          pullOf(fieldsOf((await send({ method: 'POST', path: `${at}/merge_requests`, body: request })).body)),
        find,
      ),
    { '409': 'exists' },
  );
  // Another run was faster.
  const found = created === 'exists' ? await find() : created;
  if (found !== undefined) return found;
  throw new ForgeError('refused', {
    operation,
    status: 409,
    reason: 'GitLab reports an existing merge request but does not list it',
    hint: 'look for it among the merge requests of the project',
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
