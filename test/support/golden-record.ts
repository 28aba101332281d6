import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseHeader } from '../../src/base/core/generated-files.ts';

/** Path to text. */
export type Files = ReadonlyMap<string, string>;

/** Every file of `out/`, one after the other, each below a line with its path. */
const WHOLE = 'out.txt';

/** In its place where a golden is about its diagnostics: one hash of all that `out.txt` would contain. */
const HASH = 'out.sha256';

const RECORDED = ['diagnostics.txt', 'topology.lock.yaml', WHOLE, HASH] as const;

/** A warning's golden is its diagnostics: what its fleet compiles to, another golden shows. */
const isAboutDiagnostics = (golden: string): boolean => /^(warns|notes)-/.test(golden);

const isOut = (path: string): boolean => path.startsWith('out/');

/** The records of a golden, by the name of its file. */
export function recordOf(golden: string, produced: Files): Files {
  const beside = [...produced]
    .filter(([path]) => !isOut(path))
    .map(([path, text]) => [path, withoutHeader(text)] as const);
  const out = printParts([...produced].filter(([path]) => isOut(path)));
  if (out === '') return new Map(beside);
  return new Map([...beside, isAboutDiagnostics(golden) ? [HASH, `${hashOf(out)}\n`] : [WHOLE, out]]);
}

export function readRecord(folder: string): Files {
  const there = RECORDED.filter((it) => existsSync(join(folder, it)));
  return new Map(there.map((it) => [it, readFileSync(join(folder, it), 'utf8')]));
}

/** Records over what is there, and without what nothing produces any more. */
export function writeRecord(folder: string, record: Files): void {
  for (const it of RECORDED) if (!record.has(it)) rmSync(join(folder, it), { force: true });
  for (const [path, text] of record) write(join(folder, path), text);
}

/** `diagnostics.txt`, `out/rome/kustomization.yaml`: what differs between two records, sorted. */
export function differingPaths(produced: Files, recorded: Files): readonly string[] {
  const [is, was] = [partsOf(produced), partsOf(recorded)];
  return [...new Set([...is.keys(), ...was.keys()])].filter((it) => is.get(it) !== was.get(it)).sort();
}

/** The files of a record, those inside `out.txt` each by itself. */
export const partsOf = (record: Files): Files =>
  new Map([...record].flatMap(([path, text]) => (path === WHOLE ? parseParts(text) : [[path, text] as const])));

/** Writes both records to a temporary folder, file by file, for `git diff --no-index`. */
export function keepForDiff(golden: string, produced: Files, recorded: Files) {
  const base = mkdtempSync(join(tmpdir(), `weft-golden-${golden}-`));
  const [here, there] = [join(base, 'produced'), join(base, 'recorded')];
  for (const [path, text] of partsOf(produced)) write(join(here, path), text);
  for (const [path, text] of partsOf(recorded)) write(join(there, path), text);
  return { here, there };
}

const printParts = (files: readonly (readonly [string, string])[]): string =>
  files
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${MARK}${path}\n${withoutHeader(text)}`)
    .join('');

/** No file of a bundle has a line that begins like this. */
const MARK = '==> ';

const parseParts = (text: string): readonly (readonly [string, string])[] =>
  text
    .split(/^==> /m)
    .slice(1)
    .map((it) => [it.slice(0, it.indexOf('\n')), it.slice(it.indexOf('\n') + 1)] as const);

/** The text of the first line of generated files is not recorded: `test/laws/header.test.ts` is about it. */
const withoutHeader = (text: string): string =>
  parseHeader(text) === undefined ? text : text.slice(text.indexOf('\n') + 1);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
