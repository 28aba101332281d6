import { normalize, resolve } from 'node:path';
import type { Compiled } from '../compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { readFolder } from '../disk/read-folder.ts';
import { readKnownFiles } from '../disk/tree/known-files.ts';
import { sha256 } from '../disk/tree/tree-path.ts';
import { verifyBundle } from '../verify/verify-bundle.ts';
import type { Destination } from './compile-topology.ts';
import { Refusal } from './refusal.ts';

export interface Verified {
  readonly diagnostics: readonly Diagnostic[];
  /** How many files were read. */
  readonly files: number;
}

/** Reads what lies in `out/` and proves it. `compiled` is the full result, whatever was asked for. */
export async function verifyOut({ inputs, bundle }: Compiled, to: Pick<Destination, 'cwd' | 'out'>): Promise<Verified> {
  const files = await readOut(to);
  return {
    diagnostics: verifyBundle({ files, root: rootOf(to.out), sources: inputs, compiled: bundle }),
    files: files.size,
  };
}

/**
 * The broken promises that no comparison explains. A file that still is as weft wrote it, and is to change, belongs to an
 * edit of the topology that was not compiled yet: to tell every promise of the new topology that it breaks helps nobody.
 */
export async function verifyEdited(
  compiled: Compiled,
  to: Pick<Destination, 'cwd' | 'out'>,
  differing: readonly string[],
): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await verifyOut(compiled, to);
  const known = readKnownFiles(resolve(to.cwd, to.out));
  const isStale = (path: string, text: string): boolean =>
    'record' in known && (text === '' || known.record.get(path) === sha256(text));
  const stale = new Set(differing);
  return diagnostics.filter(({ span: { source } }) => {
    const path = source.path.slice(rootOf(to.out).length + 1);
    return !(stale.has(path) && isStale(path, source.text));
  });
}

/** The folder as it stands in messages. */
const rootOf = (out: string): string =>
  normalize(out)
    .replaceAll('\\', '/')
    .replace(/(?<=.)\/$/, '');

/** Every file below `out/` as text. Names that begin with a dot are weft's own records, or none of its business. */
async function readOut({ cwd, out }: Pick<Destination, 'cwd' | 'out'>): Promise<ReadonlyMap<string, string>> {
  const read = await readFolder(resolve(cwd, out), (path) => !path.startsWith('.'));
  switch (read.kind) {
    case 'read':
      return read.files;
    case 'missing':
      throw new Refusal(`there is no folder ${out}`, 'write it with weft compile, or name another with --out');
    case 'not-a-folder':
      throw new Refusal(`${out} is not a folder`, 'name the folder of the bundles with --out');
  }
}
