import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import type { Compiled } from '../../../src/compile.ts';
import { parseLock } from '../../../src/fleet/lock/lock.ts';
import { verifyBundle } from '../../../src/proof/verify/verify-bundle.ts';
import { compileGolden } from '../../support/golden.ts';

export type Files = ReadonlyMap<string, string>;

/** The files below a folder, by path. A name that begins with a dot is not part of a bundle. */
export function filesBelow(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath ?? it.path, it.name).slice(folder.length + 1))
    .filter((it) => !it.startsWith('.'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

export const bundleFiles = (golden: string): Files => new Map(compiledGolden(golden).bundle);

const compiled = new Map<string, Compiled>();

export function compiledGolden(golden: string): Compiled {
  const known = compiled.get(golden);
  if (known) return known;
  const outcome = compileGolden(golden);
  if (!outcome.ok) throw new Error(`test/golden/${golden} does not compile`);
  compiled.set(golden, outcome.value);
  return outcome.value;
}

/** The errors of verify in these files, and in the lock if one is given, for the topology of a golden. */
export const verifyGolden = (golden: string, files: Files, lock?: string): readonly Diagnostic[] =>
  verifyFiles(compiledGolden(golden), files, lock);

/** The errors of verify in what was compiled, the lock included. */
export const verifyCompiled = (compiled: Pick<Compiled, 'inputs' | 'bundle' | 'lock'>): readonly Diagnostic[] =>
  verifyFiles(compiled, new Map(compiled.bundle), compiled.lock);

/** The errors of verify in files that are in the place of the compiled ones, and in the text of a lock if one is given. */
export function verifyFiles(
  { inputs, bundle }: Pick<Compiled, 'inputs' | 'bundle'>,
  files: Files,
  text?: string,
): readonly Diagnostic[] {
  const lock = text === undefined ? undefined : parseLock({ path: 'topology.lock.yaml', text });
  if (lock?.ok === false) throw new Error('the lock cannot be read');
  return verifyBundle({ files, root: 'out', sources: inputs, lock: lock?.value, compiled: bundle });
}
