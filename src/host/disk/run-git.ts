import { spawn, spawnSync } from 'node:child_process';
import { errorCode } from './disk-error.ts';
import { gitEnvironment } from './git-environment.ts';
import { GitError } from './git-error.ts';

export interface GitResult {
  readonly ok: boolean;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Settings by which the configuration of a repository could make git run a program or reach another machine.
 * Source: git, Documentation/config.
 */
const SETTINGS = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.askPass='],
  ...['credential.helper=', 'diff.external=', 'protocol.allow=never'],
].flatMap((it) => ['-c', it]);

/** A bundle has some megabytes, and a commit may contain a file of any size. */
const LARGEST_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Runs git in a folder. A command that fails is a result; only a missing git is an error. */
export function runGit(cwd: string, args: readonly string[], input = ''): Promise<GitResult> {
  return new Promise((resolvePromise, reject) => {
    const child = spawn('git', withSettings(args), {
      cwd,
      stdio: 'pipe',
      env: gitEnvironment(process.env),
    });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= LARGEST_OUTPUT_BYTES) out.push(part);
      else {
        child.kill();
        reject(tooLarge());
      }
    });
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error) => {
      reject(startError(error));
    });
    child.on('close', (status) => {
      resolvePromise({ ok: status === 0, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() });
    });
    // If git has ended, its exit status explains more than this error.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** The same, for whoever cannot wait: a text is made where it is asked for. */
export function runGitNow(cwd: string, args: readonly string[], input: string): GitResult {
  const { status, stdout, stderr, error } = spawnSync('git', withSettings(args), {
    cwd,
    input,
    env: gitEnvironment(process.env),
    maxBuffer: LARGEST_OUTPUT_BYTES,
  });
  if (errorCode(error) === 'ENOBUFS') throw tooLarge();
  // If git has ended, its exit status explains more than an input that it did not read.
  if (error !== undefined && errorCode(error) !== 'EPIPE') throw startError(error);
  return { ok: status === 0, stdout, stderr: stderr.toString() };
}

const withSettings = (args: readonly string[]): readonly string[] => ['--no-pager', ...SETTINGS, ...args];

const tooLarge = (): GitError =>
  new GitError('the files in that commit are too large to be bundles of weft', 'check the path');

const startError = (error: Error): Error =>
  errorCode(error) === 'ENOENT'
    ? new GitError('git is not installed', 'install git, or compare with a folder: "weft plan --base-dir DIR"')
    : error;

/** What git complained about, without its `fatal: `. */
export const firstLine = (text: string): string =>
  text
    .trim()
    .split('\n')[0]
    ?.replace(/^fatal: /, '') ?? '';
