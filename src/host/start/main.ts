import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import type { Release } from '../app/ci-files.ts';
import type { start as startProgram } from '../cli/start.ts';
import { ENDING } from '../disk/cache-file.ts';
import { codeFolder } from '../disk/cache-folder.ts';
import { useFirstFlags } from '../front/v8-flags.ts';
import { openProgram } from './program.ts';

// The build inserts them: src/host/build/version.mjs, build.mjs.
declare const WEFT_VERSION: string;
declare const WEFT_BUILD: string;
declare const WEFT_RELEASE: Release | null;
declare const WEFT_START: string;
/** Identifies the texts of all parts. */
declare const WEFT_PARTS: string;

const folder = import.meta.dirname;

useFirstFlags();
const flags = cachedDataVersionTag();
const program = openProgram(join(folder, 'program'), keptCode());
const { start } = program.load(WEFT_START) as { readonly start: typeof startProgram };
// A bug, unless the command ends.
process.exitCode = 3;
void start({ version: WEFT_VERSION, build: WEFT_BUILD, release: WEFT_RELEASE, folder }).then((exitCode) => {
  // Never process.exit(): it would cut off output that is still being written to a pipe.
  process.exitCode = exitCode;
  // Other exit codes are of a call that did not do its work.
  if (exitCode > 1) return;
  useFirstFlags();
  if (cachedDataVersionTag() === flags) program.keep(exitCode === 0);
});

/** The file for the code of this command, since that of another one is of little use to it. */
function keptCode() {
  const { NODE_DISABLE_COMPILE_CACHE: isOff, NODE_V8_COVERAGE: coverage } = process.env;
  // The variable of Node turns this off for all programs; code with counters is not to be kept.
  const ofBuild = isOff || coverage ? undefined : codeFolder(WEFT_BUILD, process.env);
  if (ofBuild === undefined) return undefined;
  const word = process.argv[2] ?? '';
  const command = /^[a-z]+$/.test(word) ? word : 'weft';
  const name = `${command}-${process.version}-${process.arch}-${flags.toString(16)}${ENDING}`;
  return { path: join(ofBuild, name), validFor: WEFT_PARTS };
}
