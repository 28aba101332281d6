import type { Host, Output } from './host.ts';
import { runWeft } from './run-weft.ts';

// Put in by the build from package.json.
declare const WEFT_VERSION: string;

/** A stream of the process. A reader who left (EPIPE) is no failure: `weft view rome | head` has done what it should. */
function outputOf(stream: NodeJS.WriteStream, onClosed: () => void): Output {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
    onClosed();
  });
  return {
    isTTY: stream.isTTY === true,
    write: (text) =>
      new Promise((resolve) => {
        if (closed) resolve(false);
        else stream.write(text, (error) => resolve(error === null || error === undefined));
      }),
  };
}

let readerLeft = false;

const host: Host = {
  cwd: process.cwd(),
  env: process.env,
  version: WEFT_VERSION,
  stdout: outputOf(process.stdout, () => {
    readerLeft = true;
  }),
  stderr: outputOf(process.stderr, () => {}),
  onInterrupt: (listener) => {
    process.on('SIGINT', listener);
    return () => process.off('SIGINT', listener);
  },
};

// Never process.exit(): what is still on its way into a pipe would be cut off.
const exitCode = await runWeft(process.argv.slice(2), host);
process.exitCode = readerLeft ? 0 : exitCode;
