import { isAbsolute, relative } from 'node:path';
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
import { type Env, forgeOfRemote, isWebAddress, parseRemote, withoutSlash } from './forge-kind.ts';
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

/** The facts that GitLab CI provides. Elsewhere GITLAB_SERVER_URL or the clone names the server, flags the rest. */
export async function gitlabContext(env: Env, origin: () => Promise<string | undefined>): Promise<ActionsContext> {
  const outputs = {
    summaryFile: undefined,
    outputFile: undefined,
    dotenvFile: env['WEFT_DOTENV'] || undefined,
    codeQualityFile: env['WEFT_CODE_QUALITY'] || undefined,
    event: null,
  };
  if (forgeOfCi(env) === 'gitlab') return { ...ciContext(env), ...outputs };
  const serverUrl = await gitlabServer(env, origin);
  return {
    ...outputs,
    ...{ repository: undefined, runUrl: undefined, baseCommit: undefined, headCommit: undefined },
    serverUrl: serverUrl ?? '',
    apiUrl: serverUrl === undefined ? undefined : `${serverUrl}/api/v4`,
    origin: { pull: null, pushedBranch: undefined, isFromFork: false, isInMergeQueue: false },
  };
}

/** Source of the names: docs.gitlab.com, "Predefined CI/CD variables reference". */
function ciContext(env: Env): Omit<ActionsContext, 'summaryFile' | 'outputFile' | 'event'> {
  const set = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const serverUrl = withoutSlash(set('CI_SERVER_URL') ?? 'https://gitlab.com');
  // A pipeline of a merge request from a fork runs in the fork.
  const repository = set('CI_MERGE_REQUEST_PROJECT_PATH') ?? set('CI_PROJECT_PATH');
  const number = Number(set('CI_MERGE_REQUEST_IID'));
  const isInMergeRequest = Number.isSafeInteger(number) && number > 0;
  const isInMergeQueue = set('CI_MERGE_REQUEST_EVENT_TYPE') === 'merge_train';
  const source = set('CI_MERGE_REQUEST_SOURCE_PROJECT_PATH');
  // Only a pipeline of merged results, which checks out the merge, has these two.
  const merged = { base: set('CI_MERGE_REQUEST_TARGET_BRANCH_SHA'), head: set('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA') };
  return {
    repository,
    serverUrl,
    apiUrl: withoutSlash(set('CI_API_V4_URL') ?? `${serverUrl}/api/v4`),
    runUrl: set('CI_JOB_URL'),
    artifactUrl: (path) => artifactUrl(path, { job: set('CI_JOB_URL'), folder: set('CI_PROJECT_DIR') }),
    origin: {
      // A merge train tests a candidate together with others, which its merge request does not contain.
      // GitLab starts no pipeline when a merge request is closed.
      pull:
        isInMergeRequest && !isInMergeQueue
          ? { number, branch: set('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'), isClosed: false }
          : null,
      pushedBranch: set('CI_COMMIT_BRANCH'),
      // A deleted fork has no source project.
      isFromFork: isInMergeRequest && source?.toLowerCase() !== repository?.toLowerCase(),
      isInMergeQueue,
    },
    baseCommit: isInMergeRequest
      ? variableCommit(merged.base ?? set('CI_MERGE_REQUEST_DIFF_BASE_SHA'))
      : variableCommit(set('CI_COMMIT_BEFORE_SHA')),
    headCommit: isInMergeRequest ? variableCommit(merged.head ?? set('CI_COMMIT_SHA')) : undefined,
  };
}

/** A job keeps files below its checkout. Source: docs.gitlab.com, "Job artifacts", and the links of "Browse". */
function artifactUrl(
  path: string,
  { job, folder }: { readonly job: string | undefined; readonly folder: string | undefined },
): string | undefined {
  if (job === undefined || folder === undefined) return undefined;
  const names = relative(folder, path).split(/[\\/]/);
  return isAbsolute(relative(folder, path)) || names[0] === '..'
    ? undefined
    : `${job}/artifacts/file/${names.map(encodeURIComponent).join('/')}`;
}

/** The first push of a branch has a commit of zeros before it. */
const variableCommit = (value: string | undefined): string | undefined =>
  value !== undefined && /^(?!0+$)[0-9a-f]{40,64}$/.test(value) ? value : undefined;

async function gitlabServer(env: Env, origin: () => Promise<string | undefined>): Promise<string | undefined> {
  const given = env['GITLAB_SERVER_URL'];
  if (given && isWebAddress(given)) return withoutSlash(given);
  if (given)
    throw new CommandFailure(
      `"${given}" is not the address of a server`,
      'write it in GITLAB_SERVER_URL with https://',
    );
  const url = (await origin()) ?? '';
  // The token for GitLab is sent to no other forge.
  if (![undefined, 'gitlab'].includes(forgeOfRemote(url))) return undefined;
  // The number of groups in the path is unknown, so the server is the host.
  return parseRemote(url)?.origin;
}
