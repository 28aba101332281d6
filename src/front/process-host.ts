import { asDiskError, errorCode } from '../disk/disk-error.ts';
import { readPipe } from '../disk/read-text-file.ts';
import { streamTarget } from '../disk/stream-target.ts';
import type { Host, Output } from './host.ts';

const STDOUT = 1;

interface ProcessHost extends Host {
  /** Whether the reader closed stdout before everything was written. */
  readonly readerLeft: () => boolean;
}

/** The real process around a command. */
export function processHost(version: string): ProcessHost {
  let readerLeft = false;
  return {
    cwd: process.cwd(),
    env: process.env,
    version,
    stdin: {
      get isTTY() {
        return process.stdin.isTTY === true;
      },
      read: () => readPipe(process.stdin, 'stdin'),
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
