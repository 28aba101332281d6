import type { Forge } from '../forge/forge.ts';
import { askGitHub, type GitHubAccess } from './ask-github.ts';
import { octokitForge } from './octokit-forge.ts';

/**
 * The forge of a repository, which may be given by a name that it had before. GitHub redirects requests by that name, but `fetch`
 * does not repeat every write after a redirect, and answers contain the present name.
 */
export async function openForge(access: GitHubAccess): Promise<Forge> {
  const { octokit, at, name, ask } = askGitHub(access);
  const { data } = await ask(`read ${name}`, () => octokit.rest.repos.get(at));
  const repository = { owner: data.owner.login, name: data.name };
  return octokitForge({ ...access, repository }, { defaultBranch: data.default_branch });
}
