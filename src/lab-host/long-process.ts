import { type ChildProcess, spawn } from 'node:child_process';

/** A process that runs as long as the lab stands. */
export interface LongProcess {
  readonly child: ChildProcess;
  readonly outlives: boolean;
  /** The end of what it wrote to stderr, for when it ends early. */
  readonly errorOutput: () => string;
  readonly hasEnded: () => boolean;
  /** Kills it; resolves when it is gone. */
  readonly end: () => Promise<void>;
}

const REMEMBERED_CHARACTERS = 4000;

/**
 * In a process group of its own, so that a Ctrl-C on the terminal does not reach it past weft.
 *
 * @param outlives it may run when weft has ended, so it gets no pipes that would break then.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  { env, outlives }: { readonly env: NodeJS.ProcessEnv; readonly outlives: boolean },
): LongProcess {
  const child = spawn(command, args, { detached: true, stdio: outlives ? 'ignore' : 'pipe', env });
  let said = '';
  let ended = false;
  const gone = new Promise<void>((resolve) => {
    const note = (problem: string) => {
      said += problem;
      ended = true;
      resolve();
    };
    child.once('error', (error) => note(error.message));
    child.once('exit', (code, signal) => note(said === '' ? `it ended with ${code ?? signal}` : ''));
  });
  child.stderr?.on('data', (part: Buffer) => {
    said = (said + part.toString()).slice(-REMEMBERED_CHARACTERS);
  });
  child.stdin?.on('error', () => {});
  if (outlives) child.unref();
  return {
    child,
    outlives,
    errorOutput: () => said.trim(),
    hasEnded: () => ended,
    end: () => {
      if (!ended) child.kill('SIGKILL');
      return gone;
    },
  };
}
