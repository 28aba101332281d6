import { Octokit } from '@octokit/rest';
import type { Forge } from '../forge/forge.ts';
import { type ConnectForge, networkFetch } from '../http/proxies.ts';
import type { Clock, Waiting } from '../http/retries.ts';
import { askGitHub, type GitHubAccess, installRetries } from './ask-github.ts';
import { comments, labelsAndAssignees, pullRequests } from './pull-requests.ts';
import { readRepository, writeCommits } from './repository-content.ts';

/** The facts of a repository, which are read once. */
interface KnownRepository {
  readonly defaultBranch: string;
}

/** GitHub behind `Forge`. Every failure is a `ForgeError` with a hint. `access` has the repository's present name. */
export function octokitForge(access: GitHubAccess, { defaultBranch }: KnownRepository): Forge {
  const github = askGitHub(access);
  const reader = readRepository(github);
  return {
    repository: access.repository,
    defaultBranch,
    ...reader,
    ...writeCommits(github, reader.headOf),
    ...pullRequests(github),
    ...labelsAndAssignees(github),
    ...comments(github),
    // There are no temporary files.
    close: async () => {},
  };
}

/**
 * Opens the forge of a repository, which may have a former name. GitHub redirects requests, but `fetch` does not repeat
 * every write after a redirect, and answers contain the present name.
 */
export async function openForge(access: GitHubAccess): Promise<Forge> {
  const { octokit, at, name, ask } = askGitHub(access);
  const { data } = await ask(`read ${name}`, () => octokit.rest.repos.get(at));
  const repository = { owner: data.owner.login, name: data.name };
  return octokitForge({ ...access, repository }, { defaultBranch: data.default_branch });
}

/** GitHub over the network. */
export const connectGitHub =
  (clock: Clock): ConnectForge =>
  ({ repository, ...settings }) =>
    openForge({
      octokit: connectOctokit({ ...settings, clock, fetch: networkFetch(settings.proxies) }),
      repository,
      clock,
      notify: settings.notify,
    });

interface Connection extends Waiting {
  readonly token: string | undefined;
  /** `https://api.github.com`, or that of a GitHub Enterprise Server. */
  readonly apiUrl: string;
  /** The version of weft. */
  readonly version: string;
  /** The function that sends requests; the default is Node's own. */
  readonly fetch?: typeof fetch;
}

const silent = (): void => {};

/** Octokit with retries, without logging, and with one write at a time. */
export function connectOctokit({ token, apiUrl, version, clock, notify, fetch }: Connection): Octokit {
  const octokit = new Octokit({
    ...(token === undefined ? {} : { auth: token }),
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: `weft/${version}`,
    // Octokit logs paths and warnings for programmers, which do not belong in the log of a job.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...(fetch === undefined ? {} : { request: { fetch } }),
  });
  installRetries(octokit, { clock, notify });
  return octokit;
}
