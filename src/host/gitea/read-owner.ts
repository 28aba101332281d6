import type { Author } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { fieldsOf } from '../http/read-answer.ts';
import type { Gitea } from './ask-gitea.ts';

/**
 * The owner of the token as author of commits. One who hides the address gets the one that Gitea itself puts into commits then,
 * with the host name that it has by default. Source: Gitea, models/user/user.go (GetPlaceholderEmail), NO_REPLY_ADDRESS.
 */
export async function readOwner({ ask, send }: Gitea, host: string): Promise<Author> {
  const read = async (path: string) => fieldsOf((await send({ method: 'GET', path })).body);
  try {
    return await ask('read the owner of the token', async () => {
      const user = await read('/user');
      const [login, id] = [user.text('login'), user.number('id')];
      const name = user.textOrNone('full_name').trim() || login;
      // The account of jobs has no settings, and an address that everybody knows.
      const isHidden = id > 0 && (await read('/user/settings')).flag('hide_email');
      return { name, email: isHidden ? `${id}+${login}@noreply.${host}` : user.text('email') };
    });
  } catch (error) {
    // A token without the scope read:user may push all the same.
    if (error instanceof ForgeError && error.status === 403) return { name: 'weft', email: `weft@noreply.${host}` };
    throw error;
  }
}
