import type { Comment, Forge } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type AnswerFields, fieldsOf } from '../http/read-answer.ts';
import type { Gitea } from './ask-gitea.ts';

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
    login: async () => {
      try {
        return await ask('read the owner of the token', async () =>
          fieldsOf((await send({ method: 'GET', path: '/user' })).body).text('login'),
        );
      } catch (error) {
        // A token without the scope read:user.
        if (error instanceof ForgeError && error.status === 403) return null;
        throw error;
      }
    },
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
