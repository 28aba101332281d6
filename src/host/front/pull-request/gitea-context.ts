import { CommandFailure } from '../command-failure.ts';
import { type ActionsContext, actionsContext, commitAt } from './actions-context.ts';
import { type Env, forgeOfCi, forgeOfRemote, isWebAddress, parseRemote, withoutSlash } from './forge-kind.ts';

/**
 * The facts that Gitea Actions or Forgejo Actions provides about the run, in the variables of GitHub Actions. In a run
 * on GitHub, which may also send manifests to Gitea, they describe GitHub: then only flags count.
 */
export async function giteaContext(
  kind: 'gitea' | 'forgejo',
  env: Env,
  origin: () => Promise<string | undefined>,
): Promise<ActionsContext> {
  const ci = forgeOfCi(env);
  if (ci !== 'gitea' && ci !== 'forgejo') {
    const serverUrl = await giteaServer(kind, env, origin);
    const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = env;
    const nothing = await actionsContext({ GITHUB_OUTPUT, GITHUB_STEP_SUMMARY });
    if (serverUrl === undefined) return { ...nothing, serverUrl: '', apiUrl: undefined };
    return { ...nothing, serverUrl, apiUrl: `${serverUrl}/api/v1` };
  }
  const context = await actionsContext(env);
  const serverUrl = withoutSlash(context.serverUrl);
  const run = env['GITHUB_RUN_NUMBER'] ?? '';
  return {
    ...context,
    serverUrl,
    apiUrl: env['GITHUB_API_URL'] ? withoutSlash(env['GITHUB_API_URL']) : `${serverUrl}/api/v1`,
    // The number of a run leads to its page in every release: since 1.26, Gitea expects the ID of a run unless it is
    // configured otherwise. Source: Gitea, routers/web/repo/actions/view.go (resolveCurrentRunForView).
    runUrl:
      context.repository === undefined || run === ''
        ? undefined
        : `${serverUrl}/${context.repository}/actions/runs/${run}?by_index=1`,
    // A job checks out the head of the pull request: there is no merge commit. Compared with the present base, the head
    // would undo newer commits of the base. Source: Gitea, services/actions/notifier_helper.go (GetGitHeadRefName).
    baseCommit: commitAt(context.event, 'pull_request', 'merge_base') ?? context.baseCommit,
  };
}

async function giteaServer(
  kind: 'gitea' | 'forgejo',
  env: Env,
  origin: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const variable = kind === 'gitea' ? 'GITEA_SERVER_URL' : 'FORGEJO_SERVER_URL';
  const given = env[variable] || env['GITEA_SERVER_URL'];
  if (given && isWebAddress(given)) return withoutSlash(given);
  if (given)
    throw new CommandFailure(`"${given}" is not the address of a server`, `write it in ${variable} with https://`);
  const url = (await origin()) ?? '';
  // The token for Gitea is sent to no other forge.
  if (![undefined, 'gitea', 'forgejo'].includes(forgeOfRemote(url))) return undefined;
  const remote = parseRemote(url);
  const folder = remote?.path.split('/').slice(0, -2) ?? [];
  return remote === undefined ? undefined : [remote.origin, ...folder].join('/');
}
