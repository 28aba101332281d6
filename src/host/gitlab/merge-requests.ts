import type { Forge, ForgeContent, NewPull, Pull } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type AnswerFields, fieldsOf } from '../http/read-answer.ts';
import { type GitLab, PER_PAGE } from './ask-gitlab.ts';
import { shownText, writtenText } from './shown-text.ts';

type MergeRequests = Pick<Forge, 'openPulls' | 'mergedHeads' | 'createPull' | 'updatePull'>;

/** Tells GitLab that a merge request is a draft. Source: docs.gitlab.com, "Draft merge requests". */
const DRAFT_PREFIX = 'Draft: ';

/** Lists, opens and edits merge requests of one project. */
export function mergeRequests(gitlab: GitLab, content: Pick<ForgeContent, 'headOf' | 'compare'>): MergeRequests {
  const { at, name, ask, send } = gitlab;
  return {
    openPulls: (branch) => openPulls(gitlab, branch),
    mergedHeads: (branch, base) => mergedHeads(gitlab, branch, base),
    createPull: async (pull) => {
      // GitLab opens a merge request without a commit in it.
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

/** The latest hundred: older ones say nothing about commits that base does not have. One whose commits are gone has no head. */
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
    // weft keeps the branch unless it is told otherwise, whatever the project has as default.
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

/** Of this project, and not of a fork, which may have a branch of the same name, or be gone: then it has no number. */
const isFrom =
  (branch: string) =>
  (it: AnswerFields): boolean =>
    it.text('source_branch') === branch && it.numberOrNull('source_project_id') === it.number('target_project_id');
