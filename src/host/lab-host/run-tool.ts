import { type ChildProcess, spawn } from 'node:child_process';
import { EnvironmentError } from '../disk/disk-error.ts';

/** An error because a lab cannot be built on this machine, or cannot be removed. */
export class LabError extends EnvironmentError {
  override readonly name: string = 'LabError';
}

/**
 * Runs a system program and returns its output. The program has its own process group, so that Ctrl-C reaches only
 * weft, which lets the program finish and cleans up.
 */
export function runTool(command: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString();
    });
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    child.on('error', (error) => reject(new ToolFailure(command, error.message)));
    child.on('close', (status) => {
      if (status === 0) resolve(stdout);
      else reject(new ToolFailure([command, ...args].join(' '), stderr.trim() || `it ended with ${status}`));
    });
    // If the program has ended, its exit status explains more than this error.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const PRIVILEGES =
  'run the container with --privileged, or with the capabilities SYS_ADMIN and NET_ADMIN and /dev/net/tun';

/** A program failed, for instance in a container that may not create namespaces. */
export class ToolFailure extends LabError {
  override readonly name = 'ToolFailure';

  constructor(command: string, problem: string) {
    const forbidden = /operation not permitted/i.test(problem);
    super(`the lab could not be built: ${command}: ${problem}`, forbidden ? PRIVILEGES : undefined);
  }
}

/** A process that runs as long as the lab exists. */
export interface LongProcess {
  readonly child: ChildProcess;
  readonly outlives: boolean;
  /** The last part of its stderr, for a process that ends early. */
  readonly errorOutput: () => string;
  readonly hasEnded: () => boolean;
  /** Kills the process; resolves when it has ended. */
  readonly end: () => Promise<void>;
}

const REMEMBERED_CHARACTERS = 4000;

/**
 * Starts a process in its own process group, so that a Ctrl-C on the terminal reaches only weft.
 *
 * @param outlives true when it may run after weft has ended; then it gets no pipes, because they would break.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  { env, outlives }: { readonly env: NodeJS.ProcessEnv; readonly outlives: boolean },
): LongProcess {
  const child = spawn(command, args, { detached: true, stdio: outlives ? 'ignore' : 'pipe', env });
  let output = '';
  let ended = false;
  const gone = new Promise<void>((resolve) => {
    const note = (problem: string) => {
      output += problem;
      ended = true;
      resolve();
    };
    child.once('error', (error) => note(error.message));
    child.once('exit', (code, signal) => note(output === '' ? `it ended with ${code ?? signal}` : ''));
  });
  child.stderr?.on('data', (part: Buffer) => {
    output = (output + part.toString()).slice(-REMEMBERED_CHARACTERS);
  });
  child.stdin?.on('error', () => {});
  if (outlives) child.unref();
  return {
    child,
    outlives,
    errorOutput: () => output.trim(),
    hasEnded: () => ended,
    end: () => {
      if (!ended) child.kill('SIGKILL');
      return gone;
    },
  };
}

/**
 * Calls a function for every item, at most `atOnce` at the same time; results are in the order of the items. After a
 * failure no further call starts, and the started calls are awaited before the failure is thrown, because cleanup must
 * not run during the setup.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const answers: R[] = [];
  const failures: unknown[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (failures.length > 0) return;
      try {
        answers[index] = await act(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return answers;
}
