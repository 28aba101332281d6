import { type ChildProcess, spawn } from 'node:child_process';

/** A process that runs as long as the lab exists. */
export interface LongProcess {
  readonly child: ChildProcess;
  readonly outlives: boolean;
  /** The last part of its stderr, for a process that ends early. */
  readonly errorOutput: () => string;
  readonly hasEnded: () => boolean;
  /** Kills it; resolves when it has ended. */
  readonly end: () => Promise<void>;
}

const REMEMBERED_CHARACTERS = 4000;

/**
 * In a process group of its own, so that a Ctrl-C on the terminal does not reach it past weft.
 *
 * @param outlives whether it may run after weft has ended; then it gets no pipes, which would break.
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
