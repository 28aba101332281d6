import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseHeader } from '../../src/core/header.ts';

/** Path to text. */
export type Files = ReadonlyMap<string, string>;

/** What is given to a golden; everything else in its folder is recorded. */
const INPUTS = new Set(['topology.yaml', 'topology.keys.yaml', 'topology.identities.yaml', 'before.lock.yaml']);

const isInput = (path: string): boolean => INPUTS.has(path) || path.startsWith('regions/');

/**
 * A golden whose `out/` is byte for byte that of another one names it in this file instead of storing it again. The
 * other golden, its twin, has an `out/` of its own.
 */
export const TWIN_FILE = 'out.same-as';

/** A line that a generated file may begin with; its wording is checked by a law and is not part of a record. */
const FIRST_COMMENT = /^# .*\n/;

const isOut = (path: string): boolean => path.startsWith('out/');

export interface GoldenRecord {
  /** Everything that is recorded; with the `out/` of the twin. */
  readonly files: Files;
  /** The golden whose `out/` it is, if it has none of its own. */
  readonly twin: string | null;
}

export function readRecord(root: string, folder: string): GoldenRecord {
  const all = filesBelow(join(root, folder));
  const twin = all.get(TWIN_FILE)?.trim() ?? null;
  const own = new Map([...all].filter(([path]) => !isInput(path) && path !== TWIN_FILE));
  if (twin === null) return { files: own, twin };
  if ([...own.keys()].some(isOut)) throw new Error(`${folder} has an out/ and a ${TWIN_FILE}`);
  const shared = [...filesBelow(join(root, twin))].filter(([path]) => isOut(path));
  if (shared.length === 0) throw new Error(`${folder}/${TWIN_FILE} names ${twin}, which has no out/ of its own`);
  return { files: new Map([...own, ...shared]), twin };
}

export interface Produced {
  readonly files: Files;
  /** What another golden produces. */
  readonly filesOf: (twin: string) => Files;
}

/**
 * Records what is produced: over what is there, and without what nothing produces any more. A file that differs by the
 * wording of its header alone stays as it is.
 */
export function writeRecord(root: string, folder: string, { files, filesOf }: Produced): void {
  const { files: recorded, twin } = readRecord(root, folder);
  const isTwin = twin !== null && sameOut(files, filesOf(twin));
  if (twin !== null && !isTwin) rmSync(join(root, folder, TWIN_FILE));
  for (const path of recorded.keys()) if (!files.has(path)) rmSync(join(root, folder, path), { force: true });
  // The files of a twin are not in this folder.
  const here = (path: string): boolean => twin === null || !isOut(path);
  const current = new Set([...recorded.keys()].filter(here));
  for (const path of differingPaths(files, recorded)) current.delete(path);
  for (const [path, text] of files)
    if (!(isTwin && isOut(path)) && !current.has(path)) write(join(root, folder, path), text);
}

const sameOut = (one: Files, other: Files): boolean =>
  differingPaths(outOf(one), outOf(other)).length === 0 && outOf(one).size > 0;

const outOf = (files: Files): Files => new Map([...files].filter(([path]) => isOut(path)));

/** What differs between what is produced and what is recorded, sorted; how a header is worded does not count. */
export function differingPaths(produced: Files, recorded: Files): readonly string[] {
  const paths = [...new Set([...produced.keys(), ...recorded.keys()])].sort();
  return paths.filter((path) => {
    const text = recorded.get(path);
    return text === undefined || underTodaysHeader(text, produced.get(path)) !== produced.get(path);
  });
}

/** A recorded text with its header replaced by that of the produced one; the same text where that has none. */
export function underTodaysHeader(recorded: string, produced: string | undefined): string {
  if (produced === undefined || parseHeader(produced) === undefined) return recorded;
  const header = produced.slice(0, produced.indexOf('\n') + 1);
  return recorded.replace(FIRST_COMMENT, () => header);
}

/** Writes what is produced to a temporary folder, and gives what `git diff --no-index` compares with it. */
export function keepForDiff(
  root: string,
  folder: string,
  files: Files,
): { readonly here: string; readonly there: string } {
  const base = join(tmpdir(), 'weft-golden', folder);
  const [here, there] = [join(base, 'produced'), join(base, 'recorded')];
  rmSync(base, { recursive: true, force: true });
  for (const [path, text] of files) write(join(here, path), text);
  for (const [path, text] of readRecord(root, folder).files)
    write(join(there, path), underTodaysHeader(text, files.get(path)));
  return { here, there };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function filesBelow(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath ?? it.path, it.name).slice(folder.length + 1));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
