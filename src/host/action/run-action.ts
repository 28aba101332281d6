import { join, resolve } from 'node:path';
import { CommandFailure } from '../front/command-failure.ts';
import { announceFleet, fleetHere } from '../front/fleet-of-call.ts';
import { EXIT, type ExitCode, type Host } from '../front/host.ts';
import type { Env } from '../front/pull-request/forge-kind.ts';
import {
  PULL_REQUEST_MODES,
  type PullRequestMode,
  type PullRequestTexts,
} from '../front/pull-request/pull-request-call.ts';
import type { PullRequestOptions } from '../front/pull-request/pull-request-run.ts';
import { reportFailure, runPullRequest } from '../front/pull-request/run-pull-request.ts';
import { printFailure } from '../front/show.ts';

/** Runs one mode. Tests replace it. */
type RunMode = (host: Host, texts: PullRequestTexts, options: PullRequestOptions) => Promise<ExitCode>;

/** Annotations and plain text, which the runner formats. */
const OPTIONS: PullRequestOptions = {
  output: undefined,
  color: undefined,
  quiet: false,
  verbose: false,
  words: inInputs,
};

const PRINTED = { color: undefined, debug: false, json: false } as const;

/**
 * `uses: weft`: runs one mode after the other, until one fails. The comment also runs after a check whose answer is no,
 * because it begins with the findings of the check.
 */
export async function runAction(host: Host, runMode: RunMode = runPullRequest): Promise<ExitCode> {
  const { env } = host;
  const token = input(env, 'token');
  const inside: Host = {
    ...host,
    cwd: resolve(env['GITHUB_WORKSPACE'] ?? host.cwd, input(env, 'working-directory') ?? '.'),
    env: token === undefined ? env : { ...env, WEFT_TOKEN: token },
  };
  const runs = readInputs(env);
  if (runs instanceof CommandFailure) {
    await reportFailure(inside, OPTIONS, runs);
    return printFailure(inside, runs, PRINTED);
  }
  const [first] = runs;
  const fleet = first?.topology === undefined ? fleetHere(inside.cwd) : undefined;
  if (fleet !== undefined) await announceFleet(inside, fleet, first?.all === true);
  let answer: ExitCode = EXIT.yes;
  for (const texts of runs) {
    if (answer !== EXIT.yes && texts.mode !== 'comment') return answer;
    const code = await runMode(inside, texts, OPTIONS).catch((error: unknown) => printFailure(inside, error, PRINTED));
    if (code !== EXIT.yes && !(texts.mode === 'check' && code === EXIT.no)) return code;
    if (code !== EXIT.yes) answer = code;
  }
  return answer;
}

function readInputs(env: Host['env']): readonly PullRequestTexts[] | CommandFailure {
  try {
    return actionInputs(env);
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
}

/** The names of the inputs, as action.yml documents them. */
export const ACTION_INPUTS: readonly string[] = [
  ...['mode', 'topology', 'base', 'into', 'branch', 'repository', 'pull-request', 'token', 'author', 'current'],
  ...['allow-destroy', 'max-removed', 'force', 'out', 'lock', 'plan-json', 'diff', 'report', 'working-directory'],
  ...['title', 'body-prefix', 'commit-message', 'labels', 'reviewers', 'team-reviewers', 'assignees'],
  ...['draft', 'delete-branch', 'signoff', 'plan-id', 'forge', 'all'],
];

/** The inputs of the Action as requests, one per mode. */
export function actionInputs(env: Env): readonly PullRequestTexts[] {
  const requested = modesOf(input(env, 'mode') ?? 'check');
  const rest = {
    topology: input(env, 'topology'),
    forge: input(env, 'forge'),
    repository: input(env, 'repository'),
    pullRequest: input(env, 'pull-request'),
    into: input(env, 'into'),
    branch: input(env, 'branch'),
    author: input(env, 'author'),
    base: input(env, 'base'),
    baseDir: undefined,
    out: input(env, 'out'),
    lock: input(env, 'lock'),
    maxRemoved: input(env, 'max-removed'),
    all: isOn(env, 'all'),
    current: isOn(env, 'current'),
    allowDestroy: isOn(env, 'allow-destroy'),
    force: isOn(env, 'force'),
    planId: input(env, 'plan-id'),
    title: input(env, 'title'),
    bodyPrefix: input(env, 'body-prefix'),
    commitMessage: input(env, 'commit-message'),
    labels: input(env, 'labels'),
    reviewers: input(env, 'reviewers'),
    teamReviewers: input(env, 'team-reviewers'),
    assignees: input(env, 'assignees'),
    draft: isOn(env, 'draft'),
    deleteBranch: isOn(env, 'delete-branch'),
    signoff: isOn(env, 'signoff'),
    diff: input(env, 'diff'),
    report: input(env, 'report'),
    planJson: input(env, 'plan-json') ?? join(env['RUNNER_TEMP'] ?? '.', 'weft-plan.json'),
  };
  return requested.map((mode) => ({ mode, ...rest }));
}

/** The modes of a list with commas or blanks, in the order of their runs. */
function modesOf(text: string): readonly PullRequestMode[] {
  const requested = text.split(/[\s,]+/).filter((it) => it !== '');
  const unknown = requested.find((it) => !PULL_REQUEST_MODES.some((mode) => mode === it));
  if (unknown === undefined) return PULL_REQUEST_MODES.filter((mode) => requested.includes(mode));
  throw new CommandFailure(`mode must be one of ${PULL_REQUEST_MODES.join(', ')}, not "${unknown}"`);
}

/** An input; `undefined` when empty. Hyphens stay in the name. Source: actions/toolkit core.ts (getInput). */
function input(env: Env, name: string): string | undefined {
  const value = env[`INPUT_${name.toUpperCase()}`]?.trim();
  return value === '' ? undefined : value;
}

function isOn(env: Env, name: string): boolean {
  const value = input(env, name) ?? 'false';
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new CommandFailure(`${name} must be true or false, not "${value}"`);
}

/** A text for users of the Action: the flags of `weft pr` and the token become inputs. */
function inInputs(text: string): string {
  return text
    .replace(/(?<![\w"-])--([a-z][a-z-]*)/g, (flag, name: string) =>
      ACTION_INPUTS.includes(name) ? `the input "${name}"` : flag,
    )
    .replace(/WEFT_TOKEN or [A-Z]+_TOKEN/g, 'the input "token"');
}
