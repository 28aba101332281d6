import { processHost } from '../front/host.ts';
import { printFailure } from '../front/show.ts';
import { runAction } from './run-action.ts';

// The build inserts them: src/host/build/version.mjs.
declare const WEFT_VERSION: string;
declare const WEFT_BUILD: string;

// Only `weft init` asks for the release.
const host = processHost({ version: WEFT_VERSION, build: WEFT_BUILD, release: null, folder: import.meta.dirname });
process.exitCode = await runAction(host).catch((error: unknown) =>
  printFailure(host, error, { color: undefined, debug: false, json: false }),
);
