import { EXIT, growHeapSlowly, optimiseLater, processHost } from '../front/host.ts';
import { runWeft } from './run-weft.ts';

// The build inserts them: src/host/build/version.mjs.
declare const WEFT_VERSION: string;
declare const WEFT_BUILD: string;

optimiseLater();
growHeapSlowly();
const host = processHost({ version: WEFT_VERSION, build: WEFT_BUILD, folder: import.meta.dirname });
// Never process.exit(): it would cut off output that is still being written to a pipe.
const exitCode = await runWeft(process.argv.slice(2), host);
// A reader that needs no more, such as `head`, is no failure; a run that could do nothing, or a bug, is one.
process.exitCode = host.readerLeft() && exitCode < EXIT.unable ? EXIT.yes : exitCode;
