import { printFailure } from '../front/print-failure.ts';
import { processHost } from '../front/process-host.ts';
import { runAction } from './run-action.ts';

// The build inserts it from package.json.
declare const WEFT_VERSION: string;

const host = processHost(WEFT_VERSION);
process.exitCode = await runAction(host).catch((error: unknown) =>
  printFailure(host, error, { color: undefined, debug: false, json: false }),
);
