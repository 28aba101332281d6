import { asDiskError, errorCode } from '../disk/disk-error.ts';
import { readPipe } from '../disk/read-text-file.ts';
import type { Host, Output } from './host.ts';

export interface ProcessHost extends Host {
  /** Whether the reader of stdout left before it was told everything. */
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
      // There is nowhere left to say it.
      () => undefined,
    ),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    readerLeft: () => readerLeft,
  };
}

/**
 * A stream of the process. A reader who left (EPIPE) is no failure: `weft view rome | head` has done what it should. Node
 * opens a stream when it is first asked for, which takes longer than printing the help, so nobody asks without need.
 */
function outputOf(open: () => NodeJS.WriteStream, onError: (error: Error) => unknown): Output {
  let failed = false;
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    // What goes wrong is told by the write itself; without a listener Node would end the process.
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
          const told = onError(error);
          return told === undefined ? resolve(false) : reject(told);
        });
      }),
  };
}
