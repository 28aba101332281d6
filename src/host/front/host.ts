import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Release } from '../app/ci-files.ts';
import { asDiskError, EnvironmentError, errorCode } from '../disk/disk-error.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import { type StreamTarget, streamTarget } from '../disk/stream-target.ts';
import type { Clock } from '../http/retries.ts';

/** The process around a command. Tests replace it. */
export interface Host {
  /** The absolute path to which paths of the user are relative. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of weft for programs: `0.1.0`. */
  readonly version: string;
  /** The version for people, with the commit of the build if known: `0.1.0 (711d3be7)`. */
  readonly build: string;
  /** The release that this weft is; `null` for a build of other sources. */
  readonly release: Release | null;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The text of a file that is shipped beside the program. */
  readonly readBeside: (name: string) => Promise<string>;
  /** The path of a program that is shipped beside this one. */
  readonly pathBeside: (name: string) => string;
  /** The folder of the guides for users. */
  readonly docs: string;
  /** The target of stdout, if it is no terminal. */
  readonly stdoutTarget: () => StreamTarget;
  /** Calls the listener when the user interrupts; returns a function that removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

interface Input {
  /** True for a terminal, where the user would have to type the input. */
  readonly isTTY: boolean;
  /** Reads the whole input as text, up to a number of bytes. May be called once. */
  readonly read: (limitBytes?: number) => Promise<ReadResult>;
}

export interface Output {
  readonly isTTY: boolean;
  /** The width of the terminal in cells; `undefined` for a file or a pipe, whose lines may have any length. */
  readonly columns?: number | undefined;
  /** Resolves when the text has left the process: true, or false if the reader has closed the stream. */
  readonly write: (text: string) => Promise<boolean>;
}

/** Exit codes of DESIGN.md 5. */
export const EXIT = {
  /** Yes, or done. */
  yes: 0,
  /** The answer is no. */
  no: 1,
  /** No answer: misuse, or a failure of the environment. */
  unable: 2,
  /** A bug of weft. */
  bug: 3,
  /** Stopped by SIGINT: 128 and the signal's number. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const STDOUT = 1;

interface ProcessHost extends Host {
  /** True if the reader closed stdout before everything was written. */
  readonly readerLeft: () => boolean;
}

/** The real process around a command. */
export function processHost({
  version,
  build,
  release,
  folder,
}: Pick<Host, 'version' | 'build' | 'release'> & ProgramFolder): ProcessHost {
  let readerLeft = false;
  return {
    get cwd() {
      return workingFolder();
    },
    env: process.env,
    version,
    build,
    release,
    readBeside: (name) => readBeside(folder, name),
    pathBeside: (name) => join(folder, name),
    docs: join(folder, '..', 'docs'),
    stdin: {
      get isTTY() {
        return process.stdin.isTTY === true;
      },
      // Loaded here, because few commands read stdin.
      read: async (limitBytes) =>
        (await import('../disk/read-text-file.ts')).readPipe(process.stdin, 'stdin', limitBytes),
    },
    stdout: outputOf(
      () => process.stdout,
      (error) => {
        if (errorCode(error) !== 'EPIPE') return asDiskError(error, 'stdout');
        readerLeft = true;
        return undefined;
      },
    ),
    stderr: outputOf(
      () => process.stderr,
      // Without stderr, the error cannot be reported.
      () => undefined,
    ),
    stdoutTarget: () => streamTarget(STDOUT),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    readerLeft: () => readerLeft,
  };
}

interface ProgramFolder {
  /** The folder of the running program. */
  readonly folder: string;
}

async function readBeside(folder: string, name: string): Promise<string> {
  // Loaded here, because few commands read a file of weft.
  const read = await (await import('../disk/read-text-file.ts')).readTextFile(join(folder, name));
  if (read.kind === 'ok') return read.text;
  throw new EnvironmentError(`the file ${name} of weft is missing in ${folder}`, 'install weft again');
}

/** The working folder, which another process may have deleted. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new EnvironmentError('the working folder no longer exists', 'change to a folder that does');
  }
}

/**
 * A stream of the process. A closed reader (EPIPE) is no failure: `weft view rome | head` has succeeded. Node opens a stream
 * on first access, which takes longer than printing the help, so it is accessed only if needed.
 */
function outputOf(open: () => NodeJS.WriteStream, onError: (error: Error) => unknown): Output {
  let failed = false;
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // The write itself reports the error; without a listener Node would end the process.
    opened ??= open().on('error', () => {});
    return opened;
  };
  return {
    get isTTY() {
      return stream().isTTY === true;
    },
    get columns() {
      // A terminal that does not know its width has 0.
      return stream().columns || undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (failed || text === '') {
          resolve(!failed);
          return;
        }
        stream().write(text, (error) => {
          if (!error) return resolve(true);
          failed = true;
          const failure = onError(error);
          return failure === undefined ? resolve(false) : reject(failure);
        });
      }),
  };
}

/** A day in UTC, written like `2026-11-28`: today, or some days before. */
export const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, '2026-11-28'.length);

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
  every: (milliseconds, tick) => {
    // A request that hangs keeps the process alive anyway.
    const timer = setInterval(tick, milliseconds).unref();
    return () => clearInterval(timer);
  },
};

/** The values of `--forge`. Forgejo began as Gitea and kept its API. */
export const FORGE_KINDS = ['github', 'gitlab', 'gitea', 'forgejo'] as const;

export type ForgeKind = (typeof FORGE_KINDS)[number];

/**
 * The forge whose CI runs weft. Runners of Gitea and Forgejo also set GitHub's variables, and Forgejo's also Gitea's.
 * Source: gitea.com/gitea/runner v1.0.8 internal/app/run/runner.go; forgejo/runner, same path.
 */
export function forgeOfCi(env: Host['env']): ForgeKind | undefined {
  const isSet = (name: string): boolean => env[name] === 'true';
  if (isSet('FORGEJO_ACTIONS')) return 'forgejo';
  if (isSet('GITEA_ACTIONS')) return 'gitea';
  if (isSet('GITLAB_CI')) return 'gitlab';
  return isSet('GITHUB_ACTIONS') ? 'github' : undefined;
}
