import { CommandFailure } from '../command-failure.ts';
import { forgeOfCi } from '../host.ts';
import type { ActionsContext } from './actions-context.ts';
import { type Env, forgeOfRemote, isWebAddress, parseRemote, withoutSlash } from './forge-kind.ts';

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
    origin: {
      // A merge train tests a candidate together with others, which its merge request does not contain.
      pull: isInMergeRequest && !isInMergeQueue ? { number, branch: set('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') } : null,
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
