import type { Author } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { fieldsOf } from '../http/read-answer.ts';
import type { GitLab } from './ask-gitlab.ts';

/** The owner of the token as author of commits: with the address that GitLab puts into commits made in the browser. */
export async function readOwner({ ask, send }: GitLab, host: string): Promise<Author> {
  try {
    return await ask('read the owner of the token', async () => {
      const user = fieldsOf((await send({ method: 'GET', path: '/user' })).body);
      const login = user.text('username');
      const email = user.textOrNone('commit_email') || user.textOrNone('email');
      return {
        name: user.textOrNone('name').trim() || login,
        // As GitLab hides an address. Source: docs.gitlab.com, "Use an automatically-generated private commit email".
        email: email || `${user.number('id')}-${login}@users.noreply.${host}`,
      };
    });
  } catch (error) {
    // A token without a scope that reads users may push all the same.
    if (error instanceof ForgeError && error.status === 403)
      return { name: 'weft', email: `weft@users.noreply.${host}` };
    throw error;
  }
}
