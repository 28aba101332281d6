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
  /** A note is reached through its merge request alone. */
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
      // What GitLab itself writes: who has changed what.
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
        // A token without a scope that reads users.
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

/** The user of a token of a project or of a group. Source: docs.gitlab.com, "Project access tokens", "Bot users for projects". */
const isBot = (login: string): boolean => /^(?:project|group)_\d+_bot/.test(login);

/**
 * Markdown that GitLab stores as it is. A line that begins with a slash and the name of a quick action would run that action with
 * the rights of the token, and disappear: `/merge`, `/close`. So every such line gets a backslash, which no reader sees. In code
 * GitLab runs none, but what it takes for code is not asked: there the backslash is shown.
 * Source: docs.gitlab.com, "GitLab quick actions".
 */
export const shownText = (markdown: string): string => markdown.replace(/^([ \t]*)\/(?=\w)/gm, '$1\\/');

/** What was written, from what GitLab has stored. */
export const writtenText = (stored: string): string => stored.replace(/^([ \t]*)\\\/(?=\w)/gm, '$1/');
