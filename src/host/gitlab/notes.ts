import { bug } from '../../base/diagnostics/outcome.ts';
import type { Comment, Forge } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type AnswerFields, fieldsOf } from '../http/read-answer.ts';
import type { GitLab } from './ask-gitlab.ts';

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
    login: async () => {
      try {
        return await ask('read the owner of the token', async () =>
          fieldsOf((await send({ method: 'GET', path: '/user' })).body).text('username'),
        );
      } catch (error) {
        // The token has no scope that reads users.
        if (error instanceof ForgeError && error.status === 403) return null;
        throw error;
      }
    },
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
export const shownText = (markdown: string): string => markdown.replace(/^([ \t]*)\/(?=\w)/gm, '$1\\/');

/** The written text, from the stored one. */
export const writtenText = (stored: string): string => stored.replace(/^([ \t]*)\\\/(?=\w)/gm, '$1/');
