import { asDiskError, errorCode } from '../disk/disk-error.ts';
import { EnvironmentError } from '../disk/environment-error.ts';
import { streamTarget } from '../disk/stream-target.ts';
import type { Host, Output } from './host.ts';

const STDOUT = 1;

interface ProcessHost extends Host {
  /** Whether the reader closed stdout before everything was written. */
  readonly readerLeft: () => boolean;
}

/** The real process around a command. */
export function processHost({ version, build }: Pick<Host, 'version' | 'build'>): ProcessHost {
  let readerLeft = false;
  return {
    get cwd() {
      return workingFolder();
    },
    env: process.env,
    version,
    build,
    stdin: {
      get isTTY() {
        return process.stdin.isTTY === true;
      },
      // Few commands read stdin, and all of them start sooner without this.
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
      // stderr is closed, so the error cannot be reported.
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

/** Another process may have deleted it. */
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
