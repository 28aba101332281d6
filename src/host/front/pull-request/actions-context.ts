import { randomBytes } from 'node:crypto';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { EditingPull, Origin } from '../../app/manifests.ts';
import { readTextFile } from '../../disk/read-text-file.ts';
import { appendToFile, writeFileWhole } from '../../disk/write-files.ts';
import { CommandFailure } from '../command-failure.ts';
import { forgeOfCi } from '../host.ts';
import { type Env, forgeOfRemote, isWebAddress, parseRemote, withoutSlash } from './forge-kind.ts';

/** The facts that GitHub Actions provides about the run. Elsewhere, flags replace them. */
export interface ActionsContext {
  /** `owner/name` that the run belongs to. */
  readonly repository: string | undefined;
  /** `undefined` if the server is unknown. */
  readonly apiUrl: string | undefined;
  readonly serverUrl: string;
  /** The page of this run. */
  readonly runUrl: string | undefined;
  /** The page of a file that the job is going to keep, by its absolute path, where its URL is known before. */
  readonly artifactUrl?: (path: string) => string | undefined;
  /** The trigger of the run: a pull request, a branch or a merge queue. */
  readonly origin: Origin;
  /** The base commit of the event: the base of a pull request or a merge queue, or the commit before a push. */
  readonly baseCommit: string | undefined;
  /** The newest commit of the pull request; the default checkout is another one. */
  readonly headCommit: string | undefined;
  readonly summaryFile: string | undefined;
  readonly outputFile: string | undefined;
  /** The file for outputs as lines of NAME=VALUE, which GitLab reads as a dotenv report. */
  readonly dotenvFile?: string | undefined;
  /** The file for the report that GitLab shows at the lines of a merge request. */
  readonly codeQualityFile?: string | undefined;
  /** The event that started the run, as the forge describes it. */
  readonly event: unknown;
  /** The results of the fleets of one run, which are written together. */
  readonly gathered?: Gathered;
}

interface Gathered {
  readonly outputs: StepOutputs[];
  readonly findings: Diagnostic[];
}

/** Source of the names: docs.github.com, "Variables reference" of GitHub Actions. */
export async function actionsContext(env: Env): Promise<ActionsContext> {
  const set = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const repository = set('GITHUB_REPOSITORY');
  const serverUrl = set('GITHUB_SERVER_URL') ?? 'https://github.com';
  const run = set('GITHUB_RUN_ID');
  const event = await readEvent(set('GITHUB_EVENT_PATH'));
  return {
    repository,
    serverUrl,
    apiUrl: set('GITHUB_API_URL') ?? 'https://api.github.com',
    runUrl:
      repository === undefined || run === undefined ? undefined : `${serverUrl}/${repository}/actions/runs/${run}`,
    origin: originOf(event, env),
    baseCommit: baseCommitOf(event),
    headCommit: commitAt(event, 'pull_request', 'head', 'sha'),
    summaryFile: set('GITHUB_STEP_SUMMARY'),
    outputFile: set('GITHUB_OUTPUT'),
    event,
  };
}

async function readEvent(path: string | undefined): Promise<unknown> {
  if (path === undefined) return null;
  const read = await readTextFile(path);
  if (read.kind === 'missing') return null;
  if (read.kind !== 'ok') throw new CommandFailure(`cannot read the event file ${path}`, 'check GITHUB_EVENT_PATH');
  try {
    return JSON.parse(read.text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandFailure(`the event file ${path} is not JSON`, 'check GITHUB_EVENT_PATH');
  }
}

function originOf(event: unknown, env: Env): Origin {
  const ref = env['GITHUB_REF'] ?? '';
  const pushedBranch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  const pull = at(event, 'pull_request');
  const [head, base] = [at(pull, 'head'), at(pull, 'base')];
  return {
    pull: pullOfEvent(pull, ref),
    pushedBranch,
    // The repository of the head is null if the fork was deleted.
    isFromFork: pull !== undefined && at(at(head, 'repo'), 'full_name') !== at(at(base, 'repo'), 'full_name'),
    isInMergeQueue:
      env['GITHUB_EVENT_NAME'] === 'merge_group' || pushedBranch?.startsWith('gh-readonly-queue/') === true,
  };
}

function pullOfEvent(pull: unknown, ref: string): EditingPull | null {
  const number = at(pull, 'number') ?? Number(/^refs\/pull\/(\d+)\//.exec(ref)?.[1] ?? Number.NaN);
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return null;
  const branch = at(at(pull, 'head'), 'ref');
  return { number, branch: typeof branch === 'string' ? branch : undefined, isClosed: at(pull, 'state') === 'closed' };
}

/** The first push of a branch has a commit of zeros here. Source: docs.github.com, "Webhook events and payloads". */
function baseCommitOf(event: unknown): string | undefined {
  return (
    commitAt(event, 'pull_request', 'base', 'sha') ??
    commitAt(event, 'merge_group', 'base_sha') ??
    commitAt(event, 'before')
  );
}

/** The commit ID at a path of an event; `undefined` without one. */
const commitAt = (event: unknown, ...keys: readonly string[]): string | undefined =>
  eventCommit(keys.reduce(at, event));

const eventCommit = (value: unknown): string | undefined =>
  typeof value === 'string' && /^(?!0+$)[0-9a-f]{40,64}$/.test(value) ? value : undefined;

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** Outputs for later steps of a workflow. action.yml documents their names. */
export const STEP_OUTPUTS = [
  ...(['changed', 'disruptive', 'trust-changes', 'add', 'change', 'remove', 'pairs-interrupted', 'plan-id'] as const),
  ...(['plan-json'] as const),
  ...(['diff-markdown', 'diff-html', 'report'] as const),
  ...(['operation', 'branch', 'head-commit', 'pull-request-number', 'pull-request-url', 'comment-url'] as const),
] as const;

export type StepOutputs = Partial<Readonly<Record<(typeof STEP_OUTPUTS)[number], string>>>;

/** Writes the outputs. No effect without a file for them. */
export async function writeOutputs(context: ActionsContext, outputs: StepOutputs): Promise<void> {
  const { outputFile, dotenvFile, gathered } = context;
  if (gathered !== undefined) {
    gathered.outputs.push(outputs);
    return;
  }
  if (dotenvFile !== undefined) await writeFileWhole(dotenvFile, printDotenv(outputs));
  if (outputFile === undefined) return;
  const texts = Object.entries(outputs).map(([name, value]) => {
    // A random delimiter prevents a value from ending itself early. Source: docs.github.com, "Workflow commands".
    const end = `weft-${randomBytes(12).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await appendToFile(outputFile, texts.join(''));
}

const SUMS: readonly string[] = ['trust-changes', 'add', 'change', 'remove', 'pairs-interrupted'];

/** The outputs of several fleets as one: what holds for one of them, sums, and otherwise one line for each fleet. */
export function mergedOutputs(fleets: readonly StepOutputs[]): StepOutputs {
  const names = STEP_OUTPUTS.filter((name) => fleets.some((it) => it[name] !== undefined));
  return Object.fromEntries(
    names.map((name) => {
      const values = fleets.map((it) => it[name] ?? '');
      if (SUMS.includes(name)) return [name, String(values.reduce((sum, it) => sum + Number(it), 0))];
      const isFlag = values.every((it) => ['true', 'false', ''].includes(it));
      return [name, isFlag ? String(values.includes('true')) : values.join('\n')];
    }),
  );
}

/**
 * One variable per line, named like `WEFT_PLAN_ID`. A value is one line without quotes. Source: docs.gitlab.com,
 * "artifacts:reports:dotenv", which accepts at most twenty variables.
 */
const printDotenv = (outputs: StepOutputs): string =>
  Object.entries(outputs)
    .map(([name, value]) => `WEFT_${name.replaceAll('-', '_').toUpperCase()}=${value.replace(/[\r\n]+/g, ' ')}\n`)
    .join('');

/** Adds Markdown to the page of the run. */
export async function writeSummary({ summaryFile }: ActionsContext, markdown: string): Promise<void> {
  if (summaryFile !== undefined) await appendToFile(summaryFile, markdown);
}

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
