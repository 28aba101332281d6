import type { Comment, Forge } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type GitHub, PER_PAGE } from './ask-github.ts';

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
