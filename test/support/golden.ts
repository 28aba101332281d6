import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { plainPaint } from '../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../src/answers/report/print-diagnostics.ts';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import type { Source } from '../../src/base/source/source.ts';
import { type Compiled, compile } from '../../src/compile.ts';
import {
  differingPaths,
  type Files,
  keepForDiff,
  partsOf,
  readRecord,
  recordOf,
  writeRecord,
} from './golden-record.ts';

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

/** The included files of a golden: every file of its folder `regions/`. */
function included(folder: string): readonly Source[] {
  const regions = join(GOLDEN, folder, 'regions');
  const names = existsSync(regions) ? readdirSync(regions).sort() : [];
  return names.flatMap((it) => read(folder, `regions/${it}`) ?? []);
}

/** The inputs of a golden: `topology.yaml`, files of `regions/`, `topology.keys.yaml`, `topology.identities.yaml`, and the lock from before in `before.lock.yaml`. */
export function goldenSources(folder: string) {
  const topology = read(folder, 'topology.yaml');
  if (!topology) throw new Error(`test/golden/${folder} has no topology.yaml`);
  return {
    topology,
    included: included(folder),
    keys: read(folder, 'topology.keys.yaml'),
    identities: read(folder, 'topology.identities.yaml'),
    lock: read(folder, 'before.lock.yaml', 'topology.lock.yaml'),
  };
}

const compiled = new Map<string, Outcome<Compiled>>();

/** The result of a golden, which all files of a worker share: nothing of it may be changed. */
export function compileGolden(folder: string): Outcome<Compiled> {
  const outcome = compiled.get(folder) ?? compile(goldenSources(folder), { relock: [], only: null });
  compiled.set(folder, outcome);
  return outcome;
}

/** The records of a golden: diagnostics as the terminal shows them, the lock, and all of `out/`. */
export function goldenFiles(outcome: Outcome<Compiled>): Files {
  const files = new Map([
    ['diagnostics.txt', printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true })],
  ]);
  if (!outcome.ok) return files;
  files.set('topology.lock.yaml', outcome.value.lock);
  for (const [path, text] of outcome.value.bundle) files.set(`out/${path}`, text);
  return files;
}

/** Compares what a golden produces with what it records; a recorded file that nothing produces fails, too. */
export function expectGolden(golden: string, files: Files): void {
  const folder = join(GOLDEN, golden);
  const produced = recordOf(golden, files);
  if (updating) {
    writeRecord(folder, produced);
    return;
  }
  const recorded = readRecord(folder);
  const [first, ...others] = differingPaths(produced, recorded);
  if (first === undefined) return;
  const { here, there } = keepForDiff(golden, produced, recorded);
  expect(
    partsOf(produced).get(first) ?? '(nothing produces it)',
    [
      `${golden}/${first}${others.length > 0 ? ` and ${others.length} more` : ''}; all differences, and how to accept them:`,
      `  git diff --no-index ${there} ${here}`,
      `  UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts --project quick test/golden.test.ts -t '^golden ${golden}$'`,
      // Vitest goes on behind the message; a command must be a line that can be copied.
      '',
    ].join('\n'),
  ).toBe(partsOf(recorded).get(first) ?? '(not recorded)');
}
