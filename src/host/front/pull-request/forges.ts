import { type ForgeWords, nameOf } from '../../forge/forge.ts';
import { giteaWords } from '../../gitea/ask-gitea.ts';
import { connectGitea } from '../../gitea/open-gitea.ts';
import { GITHUB_WORDS } from '../../github/ask-github.ts';
import { connectGitHub } from '../../github/open-github.ts';
import { GITLAB_WORDS } from '../../gitlab/ask-gitlab.ts';
import { connectGitLab } from '../../gitlab/open-gitlab.ts';
import type { ConnectForge } from '../../http/proxies.ts';
import { CommandFailure } from '../command-failure.ts';
import { type ForgeKind, forgeOfCi, systemClock } from '../host.ts';
import { type ActionsContext, actionsContext, giteaContext } from './actions-context.ts';
import type { Env } from './forge-kind.ts';
import { gitlabContext } from './gitlab-context.ts';
import type { OpenPage } from './pull-request-call.ts';

/** The parts of `weft pr` that differ between forges. */
interface ForgeFront {
  readonly connect: () => ConnectForge;
  /** Reads the facts that the CI provides about the run. */
  readonly context: (env: Env, origin: () => Promise<string | undefined>) => Promise<ActionsContext>;
  readonly words: ForgeWords;
  readonly openPage: OpenPage;
  /** True if a repository may be in nested groups. */
  readonly hasGroups: boolean;
  /** The variable that names the server outside of CI. */
  readonly serverVariable: string;
  /** Variables with a token, by priority. */
  readonly tokens: (env: Env) => readonly string[];
}

/** A job of Gitea has its token in the variable of GitHub's. Elsewhere that token is sent to GitHub alone. */
const ofGitea =
  (...names: readonly string[]) =>
  (env: Env): readonly string[] =>
    inGitea(env) ? [...names, 'GITHUB_TOKEN'] : names;

const inGitea = (env: Env): boolean => ['gitea', 'forgejo'].includes(forgeOfCi(env) ?? '');

const comparePage: OpenPage = (server, repository, { base, branch }) =>
  `${server}/${nameOf(repository)}/compare/${inUrl(base)}...${inUrl(branch)}?expand=1`;

/** The name of a branch may contain `#`, `?` and `%`. */
const inUrl = (branch: string): string => branch.split('/').map(encodeURIComponent).join('/');

export const FORGES: Readonly<Record<ForgeKind, ForgeFront>> = {
  github: {
    words: GITHUB_WORDS,
    openPage: comparePage,
    hasGroups: false,
    serverVariable: 'GITHUB_API_URL',
    connect: () => connectGitHub(systemClock),
    context: actionsContext,
    tokens: (env) => (inGitea(env) ? ['WEFT_TOKEN', 'GH_TOKEN'] : ['WEFT_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN']),
  },
  gitlab: {
    words: GITLAB_WORDS,
    openPage: (server, repository, { base, branch }) =>
      `${server}/${nameOf(repository)}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}&merge_request%5Btarget_branch%5D=${encodeURIComponent(base)}`,
    hasGroups: true,
    serverVariable: 'GITLAB_SERVER_URL',
    connect: () => connectGitLab(systemClock),
    context: gitlabContext,
    tokens: () => ['WEFT_TOKEN', 'GITLAB_TOKEN'],
  },
  gitea: {
    words: giteaWords('Gitea'),
    openPage: comparePage,
    hasGroups: false,
    serverVariable: 'GITEA_SERVER_URL',
    connect: () => connectGitea('Gitea', systemClock),
    context: (env, origin) => giteaContext('gitea', env, origin),
    tokens: ofGitea('WEFT_TOKEN', 'GITEA_TOKEN'),
  },
  forgejo: {
    words: giteaWords('Forgejo'),
    openPage: comparePage,
    hasGroups: false,
    serverVariable: 'FORGEJO_SERVER_URL',
    connect: () => connectGitea('Forgejo', systemClock),
    context: (env, origin) => giteaContext('forgejo', env, origin),
    tokens: ofGitea('WEFT_TOKEN', 'FORGEJO_TOKEN', 'GITEA_TOKEN'),
  },
};

/** Tokens for one forge, by priority. Never an option: command lines are visible to every process, and logged. */
export const tokensFor = (kind: ForgeKind, env: Env): readonly string[] =>
  FORGES[kind].tokens(env).flatMap((name) => env[name]?.trim() || []);

/** The tokens of all forges, which must not be printed. */
export const allTokens = (env: Env): readonly string[] =>
  [
    ...['WEFT_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN', 'GITLAB_TOKEN', 'GITEA_TOKEN', 'FORGEJO_TOKEN'],
    ...['CI_JOB_TOKEN', 'CI_REPOSITORY_URL'],
  ].flatMap((it) => env[it]?.trim() || []);

export function unknownServer(kind: ForgeKind): never {
  const { words, serverVariable } = FORGES[kind];
  throw new CommandFailure(`the address of ${words.name} is not known`, `set ${serverVariable} to it, with https://`);
}
