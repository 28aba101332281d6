import { type Author, type Forge, ForgeError, nameOf } from '../forge/forge.ts';
import { gitContent } from '../git-remote/git-content.ts';
import { type ConnectForge, networkFetch, type ProxySettings } from '../http/proxies.ts';
import { fieldsOf } from '../http/rest-client.ts';
import type { Clock } from '../http/retries.ts';
import { askGitea, type Gitea, type GiteaAccess, type GiteaProduct } from './ask-gitea.ts';
import { comments, labelsAndAssignees, pullRequests } from './pull-requests.ts';

interface GitSettings {
  readonly proxies: ProxySettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Gitea ignores the name: the token is the password. Source: Gitea, services/auth/basic.go. */
const USER = 'weft';

/**
 * Gitea or Forgejo behind `Forge`: content by git, and the rest by the API. Every failure is a `ForgeError` with a
 * hint. The first read follows the redirect of a former name; all other requests use the present name.
 */
export async function openGitea(access: GiteaAccess, { proxies, env }: GitSettings): Promise<Forge> {
  const { product, token, clock, notify } = access;
  const asked = askGitea(access);
  const found = await asked.ask(`read ${asked.name}`, async () => {
    const it = fieldsOf((await asked.send({ method: 'GET', path: asked.at })).body);
    return { owner: it.fields('owner').text('login'), name: it.text('name'), branch: it.text('default_branch') };
  });
  const repository = { owner: found.owner, name: found.name };
  const gitea = askGitea({ ...access, repository });
  const server = new URL(access.apiUrl.replace(/\/api\/v1\/?$/, ''));
  const content = gitContent(
    {
      // Not the address that the server reports: the token is sent only to the address of the user.
      url: `${server.href.replace(/\/$/, '')}/${repository.owner}/${repository.name}.git`,
      name: nameOf(repository),
      forge: product,
      user: USER,
      token,
      author: () => readOwner(gitea, server.hostname),
      proxies,
      hints: {
        'not-permitted':
          'give the owner of the token write access to the repository, and the token the scope write:repository',
      },
      clock,
      notify,
    },
    env,
  );
  return {
    repository,
    defaultBranch: found.branch,
    ...content,
    ...pullRequests(gitea, content),
    ...labelsAndAssignees(gitea),
    ...comments(gitea),
  };
}

/** Gitea or Forgejo over the network. */
export const connectGitea =
  (product: GiteaProduct, clock: Clock): ConnectForge =>
  ({ proxies, env, ...settings }) =>
    openGitea({ ...settings, product, clock, fetch: networkFetch(proxies) }, { proxies, env });

/**
 * The owner of the token as author of commits. A hidden address is replaced by the one that Gitea itself uses in
 * commits, with its default host name. Source: Gitea, models/user/user.go (GetPlaceholderEmail), NO_REPLY_ADDRESS.
 */
async function readOwner({ ask, send }: Gitea, host: string): Promise<Author> {
  const read = async (path: string) => fieldsOf((await send({ method: 'GET', path })).body);
  try {
    return await ask('read the owner of the token', async () => {
      const user = await read('/user');
      const [login, id] = [user.text('login'), user.number('id')];
      const name = user.textOrNone('full_name').trim() || login;
      // The account of jobs has no settings, and its address is public.
      const isHidden = id > 0 && (await read('/user/settings')).flag('hide_email');
      return { name, email: isHidden ? `${id}+${login}@noreply.${host}` : user.text('email') };
    });
  } catch (error) {
    // A token without the scope read:user may still push.
    if (error instanceof ForgeError && error.status === 403) return { name: 'weft', email: `weft@noreply.${host}` };
    throw error;
  }
}
