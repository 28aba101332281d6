import { resolve } from 'node:path';
import { CommandFailure } from '../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../front/host.ts';
import { printFailure } from '../front/print-failure.ts';
import type { PullRequestTexts } from '../front/pull-request/pull-request-call.ts';
import type { PullRequestOptions } from '../front/pull-request/pull-request-run.ts';
import { reportFailure, runPullRequest } from '../front/pull-request/run-pull-request.ts';
import { actionInputs, inInputs, input } from './action-inputs.ts';

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
