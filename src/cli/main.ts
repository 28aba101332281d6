import { asDiskError, errorCode } from './disk-error.ts';
import type { Host, Output } from './host.ts';
import { readPipe } from './read-file.ts';
import { runWeft } from './run-weft.ts';

// Put in by the build from package.json.
declare const WEFT_VERSION: string;

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

let readerLeft = false;

const host: Host = {
  cwd: process.cwd(),
  env: process.env,
  version: WEFT_VERSION,
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
};

// Never process.exit(): what is still on its way into a pipe would be cut off.
const exitCode = await runWeft(process.argv.slice(2), host);
process.exitCode = readerLeft ? 0 : exitCode;
