import { spawn } from 'node:child_process';
import { errorCode } from '../disk/disk-error.ts';
import { kubectlEnvironment } from './kubectl-environment.ts';

/** How a run of kubectl ended. */
type KubectlRun =
  | { readonly kind: 'done'; readonly stdout: Buffer }
  | { readonly kind: 'failed'; readonly stderr: string }
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-large' };

/** Where kubectl runs: paths of its configuration are relative to the folder. */
export interface KubectlPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface KubectlLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** Characters of its messages that are kept; a failing plugin can write without end. */
const LONGEST_MESSAGE = 10_000;

/**
 * Runs the user's kubectl in a folder, with a list of arguments and without a shell. stdin is closed, so that a plugin that
 * logs in cannot wait for an answer. Whatever happens is a result.
 */
export function runKubectl(
  { cwd, env }: KubectlPlace,
  args: readonly string[],
  limits: KubectlLimits,
): Promise<KubectlRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: kubectlEnvironment(env),
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    const end = (run: KubectlRun): void => {
      clearTimeout(timer);
      // A program that it has started may still hold the pipes, which would keep weft from ending.
      child.stdout.destroy();
      child.stderr.destroy();
      child.kill('SIGKILL');
      resolve(run);
    };
    const timer = setTimeout(() => end({ kind: 'timed-out' }), limits.milliseconds);
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > limits.bytes) end({ kind: 'too-large' });
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      stderr = (stderr + part.toString()).slice(0, LONGEST_MESSAGE);
    });
    child.on('error', (error) => {
      if (['ENOENT', 'EACCES'].includes(errorCode(error))) end({ kind: 'not-installed' });
      else {
        clearTimeout(timer);
        reject(error);
      }
    });
    child.on('close', (status) =>
      end(status === 0 ? { kind: 'done', stdout: Buffer.concat(parts) } : { kind: 'failed', stderr }),
    );
  });
}
