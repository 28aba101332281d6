import { join } from 'node:path';
import { CommandFailure } from '../front/command-failure.ts';
import type { Env } from '../front/pull-request/forge-kind.ts';
import {
  PULL_REQUEST_MODES,
  type PullRequestMode,
  type PullRequestTexts,
} from '../front/pull-request/pull-request-call.ts';

/** The names of the inputs, as action.yml documents them. */
export const ACTION_INPUTS: readonly string[] = [
  ...['mode', 'topology', 'base', 'into', 'branch', 'repository', 'pull-request', 'token', 'author', 'current'],
  ...['allow-destroy', 'max-removed', 'force', 'out', 'lock', 'plan-json', 'diff', 'working-directory'],
  ...['title', 'body-prefix', 'commit-message', 'labels', 'reviewers', 'team-reviewers', 'assignees'],
  ...['draft', 'delete-branch', 'signoff', 'plan-id', 'forge'],
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
export function input(env: Env, name: string): string | undefined {
  const value = env[`INPUT_${name.toUpperCase()}`]?.trim();
  return value === '' ? undefined : value;
}

function isOn(env: Env, name: string): boolean {
  const value = input(env, name) ?? 'false';
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new CommandFailure(`${name} must be true or false, not "${value}"`);
}

/** A text for users of the Action: the flags of `weft pr` and the token become inputs. */
export const inInputs = (text: string): string =>
  text
    .replace(/(?<![\w"-])--([a-z][a-z-]*)/g, (flag, name: string) =>
      ACTION_INPUTS.includes(name) ? `the input "${name}"` : flag,
    )
    .replace(/WEFT_TOKEN or [A-Z]+_TOKEN/g, 'the input "token"');
