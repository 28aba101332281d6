import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type Compiled, compile } from '../../src/compile.ts';
import type { Outcome } from '../../src/diagnostics/outcome.ts';
import { plainPaint } from '../../src/report/paint.ts';
import { printDiagnostics } from '../../src/report/print-diagnostics.ts';
import type { Source } from '../../src/source/source.ts';

export const GOLDEN = new URL('../golden/', import.meta.url).pathname;

/** `UPDATE_GOLDEN=1` writes what is produced over what is recorded; CI never does. */
const updating = process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'];

export const goldenNames = (): readonly string[] =>
  readdirSync(GOLDEN, { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map((it) => it.name)
    .sort();

function read(folder: string, name: string, path = name): Source | undefined {
  const file = join(GOLDEN, folder, name);
  return existsSync(file) ? { path, text: readFileSync(file, 'utf8') } : undefined;
}

/** The inputs of a golden: `topology.yaml`, `topology.keys.yaml`, and the lock from before in `before.lock.yaml`. */
export function goldenSources(folder: string) {
  const topology = read(folder, 'topology.yaml');
  if (!topology) throw new Error(`test/golden/${folder} has no topology.yaml`);
  return {
    topology,
    keys: read(folder, 'topology.keys.yaml'),
    lock: read(folder, 'before.lock.yaml', 'topology.lock.yaml'),
  };
}

export function compileGolden(folder: string): Outcome<Compiled> {
  return compile(goldenSources(folder), { relock: [], only: null });
}

/** What a golden records: diagnostics as the terminal shows them, the lock, and all of `out/`. */
export function goldenFiles(outcome: Outcome<Compiled>): ReadonlyMap<string, string> {
  const files = new Map([
    ['diagnostics.txt', printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true })],
  ]);
  if (!outcome.ok) return files;
  files.set('topology.lock.yaml', outcome.value.lock);
  for (const [path, text] of outcome.value.bundle) files.set(`out/${path}`, text);
  return files;
}

const INPUTS = new Set(['topology.yaml', 'topology.keys.yaml', 'before.lock.yaml']);

function recordedPaths(folder: string): readonly string[] {
  const root = join(GOLDEN, folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath ?? it.path, it.name).slice(root.length + 1))
    .filter((it) => !INPUTS.has(it))
    .sort();
}

/** Compares what a golden produces with what it records; a recorded file that nothing produces fails, too. */
export function expectGolden(folder: string, files: ReadonlyMap<string, string>): void {
  const root = join(GOLDEN, folder);
  if (updating) {
    for (const path of recordedPaths(folder)) if (!files.has(path)) rmSync(join(root, path));
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return;
  }
  for (const [path, text] of files) {
    const recorded = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '(not recorded)';
    expect(text, `${folder}/${path}`).toBe(recorded);
  }
  expect(recordedPaths(folder), `${folder}: recorded files that nothing produces`).toEqual([...files.keys()].sort());
}
