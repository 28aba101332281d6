import { type Forge, nameOf } from '../forge/forge.ts';
import { gitContent } from '../git-remote/git-content.ts';
import type { ProxySettings } from '../http/proxy-settings.ts';
import { fieldsOf } from '../http/read-answer.ts';
import { askGitea, type GiteaAccess } from './ask-gitea.ts';
import { comments } from './comments.ts';
import { labelsAndAssignees } from './labels-and-assignees.ts';
import { pullRequests } from './pull-requests.ts';
import { readOwner } from './read-owner.ts';

/** What git needs of this machine. */
interface GitSettings {
  readonly proxies: ProxySettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Any name is as good: Gitea looks at the token, which is the password. Source: Gitea, services/auth/basic.go. */
const USER = 'weft';

/**
 * Gitea or Forgejo behind `Forge`: content by git, and the rest by the API. Every failure is thrown as a `ForgeError` with a hint.
 * A former name of the repository is redirected when it is read, and all else uses the present one.
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
      // Not the address that the server gives for itself: the token goes nowhere but where the user sends it.
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
