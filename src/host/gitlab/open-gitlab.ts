import { type Author, type Forge, ForgeError, nameOf, type Repository } from '../forge/forge.ts';
import { gitContent } from '../git-remote/git-content.ts';
import { type ConnectForge, networkFetch, type ProxySettings } from '../http/proxies.ts';
import { fieldsOf } from '../http/rest-client.ts';
import type { Clock } from '../http/retries.ts';
import { askGitLab, type GitLab, type GitLabAccess } from './ask-gitlab.ts';
import { mergeRequests, notes, peopleAndLabels } from './merge-requests.ts';

interface GitSettings {
  readonly proxies: ProxySettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The user name for every kind of token; OAuth requires it. Source: docs.gitlab.com, "Clone with a token". */
const USER = 'oauth2';

/**
 * GitLab behind `Forge`: content by git, and the rest by the API. Every failure is a `ForgeError` with a hint. The
 * first read follows the redirect of a former path; all other requests use the present path.
 */
export async function openGitLab(access: GitLabAccess, { proxies, env }: GitSettings): Promise<Forge> {
  const { token, clock, notify } = access;
  refuseJobToken(token, env);
  const asked = askGitLab(access);
  const found = await asked.ask(`read ${asked.name}`, async () => {
    const it = fieldsOf((await asked.send({ method: 'GET', path: asked.at })).body);
    return {
      repository: repositoryOf(it.text('path_with_namespace')),
      webUrl: it.text('web_url'),
      branch: it.textOrNone('default_branch'),
      isEmpty: it.flagOrFalse('empty_repo'),
    };
  });
  const { repository, webUrl, branch, isEmpty } = found;
  // An empty project also has a default branch, whose name is hidden from tokens that may not read code. Source:
  // gitlab-org/gitlab lib/api/entities/basic_project_details.rb.
  if (isEmpty)
    throw new ForgeError('empty', {
      operation: `read ${asked.name}`,
      reason: 'it has no commit yet',
      status: 0,
      hint: 'push a first commit and run it again',
    });
  if (branch === '')
    throw new ForgeError('not-permitted', {
      operation: `read the code of ${asked.name}`,
      reason: 'GitLab names no default branch',
      status: 0,
      hint: 'give the token the role Developer in the project, and enable its repository in the settings',
    });
  const gitlab = askGitLab({ ...access, repository });
  const server = new URL(access.apiUrl.replace(/\/api\/v4\/?$/, ''));
  const content = gitContent(
    {
      // Not the address that the server reports: the token is sent only to the address of the user.
      url: `${server.href.replace(/\/$/, '')}/${nameOf(repository)}.git`,
      name: nameOf(repository),
      forge: 'GitLab',
      user: USER,
      token,
      author: () => readOwner(gitlab, server.hostname),
      proxies,
      hints: {
        'not-signed-in':
          'set a token in WEFT_TOKEN or GITLAB_TOKEN, with the role Developer in the project and the scope "api"',
        'not-permitted':
          'give the token the role Developer in the project, and the scope "api", or "write_repository" to push alone',
      },
      clock,
      notify,
    },
    env,
  );
  return {
    repository,
    defaultBranch: branch,
    ...content,
    ...mergeRequests(gitlab, content),
    ...peopleAndLabels(gitlab),
    ...notes(gitlab, webUrl),
  };
}

/** Splits a path: the group is before the last slash. */
function repositoryOf(path: string): Repository {
  const slash = path.lastIndexOf('/');
  return { owner: path.slice(0, slash), name: path.slice(slash + 1) };
}

/** A job token reaches neither merge requests nor their notes. Source: docs.gitlab.com, "CI/CD job token". */
function refuseJobToken(token: string, env: GitSettings['env']): void {
  if (token !== env['CI_JOB_TOKEN'] && !token.startsWith('glcbt-')) return;
  throw new ForgeError('not-permitted', {
    operation: 'use the token of the job',
    reason: 'CI_JOB_TOKEN may neither open merge requests nor comment on them',
    status: 0,
    hint: 'create a project access token with the role Developer and the scope "api", and set it as the CI/CD variable WEFT_TOKEN, masked and protected',
  });
}

/** GitLab over the network. */
export const connectGitLab =
  (clock: Clock): ConnectForge =>
  ({ proxies, env, ...settings }) =>
    openGitLab({ ...settings, clock, fetch: networkFetch(proxies) }, { proxies, env });

/** The owner of the token as author of commits, with the address that GitLab uses for commits made in the browser. */
async function readOwner({ ask, send }: GitLab, host: string): Promise<Author> {
  try {
    return await ask('read the owner of the token', async () => {
      const user = fieldsOf((await send({ method: 'GET', path: '/user' })).body);
      const login = user.text('username');
      const email = user.textOrNone('commit_email') || user.textOrNone('email');
      return {
        name: user.textOrNone('name').trim() || login,
        // A hidden address. Source: docs.gitlab.com, "Use an automatically-generated private commit email".
        email: email || `${user.number('id')}-${login}@users.noreply.${host}`,
      };
    });
  } catch (error) {
    // A token without a scope that reads users may still push.
    if (error instanceof ForgeError && error.status === 403)
      return { name: 'weft', email: `weft@users.noreply.${host}` };
    throw error;
  }
}
