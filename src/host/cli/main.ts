import nodeModule from 'node:module';
import type { Release } from '../app/ci-files.ts';
import { codeFolder } from '../disk/cache-folder.ts';

// The build inserts them: src/host/build/version.mjs.
declare const WEFT_VERSION: string;
declare const WEFT_BUILD: string;
declare const WEFT_RELEASE: Release | null;

const [version, build, release] = [WEFT_VERSION, WEFT_BUILD, WEFT_RELEASE];

/** Node 22.1 and later keep what they compiled, in a folder that only the user can enter. */
type NewerNode = typeof nodeModule & { readonly enableCompileCache?: (folder: string) => unknown };

const { enableCompileCache }: NewerNode = nodeModule;
const folder = enableCompileCache && codeFolder(build, process.env);
if (folder !== undefined) enableCompileCache?.(folder);
// Loaded after that: all modules of a program are compiled before its first line runs.
const { EXIT, growHeapSlowly, optimiseLater, processHost } = await import('../front/host.ts');
const { runWeft } = await import('./run-weft.ts');

optimiseLater();
growHeapSlowly();
const host = processHost({ version, build, release, folder: import.meta.dirname });
// Never process.exit(): it would cut off output that is still being written to a pipe.
const exitCode = await runWeft(process.argv.slice(2), host);
// A reader that needs no more, such as `head`, is no failure; a run that could do nothing, or a bug, is one.
process.exitCode = host.readerLeft() && exitCode < EXIT.unable ? EXIT.yes : exitCode;
