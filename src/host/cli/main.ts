import type { Release } from '../app/ci-files.ts';
import { EXIT, growHeapSlowly, optimiseLater, processHost } from '../front/host.ts';
import { runWeft } from './run-weft.ts';

// The build inserts them: src/host/build/version.mjs.
declare const WEFT_VERSION: string;
declare const WEFT_BUILD: string;
declare const WEFT_RELEASE: Release | null;

optimiseLater();
growHeapSlowly();
const [version, build, release] = [WEFT_VERSION, WEFT_BUILD, WEFT_RELEASE];
const host = processHost({ version, build, release, folder: import.meta.dirname });
// Never process.exit(): it would cut off output that is still being written to a pipe.
const exitCode = await runWeft(process.argv.slice(2), host);
// A reader that needs no more, such as `head`, is no failure; a run that could do nothing, or a bug, is one.
process.exitCode = host.readerLeft() && exitCode < EXIT.unable ? EXIT.yes : exitCode;
