import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { asDiskError, errorCode } from '../../disk/disk-error.ts';
import { parseRecord, RECORD_PATH } from '../../disk/tree/bundle-record.ts';
import type { WantedFiles } from '../../github/wanted-files.ts';
import type { PathInRepository } from './checkout-paths.ts';
import type { PreparedPlan } from './prepare-plan.ts';

/** All that `weft compile` would leave in the repository: bundles, record and lock. Elsewhere the lock stays at home. */
export function wantedTree(
  { files, to, result, tree }: PreparedPlan,
  inRepository: PathInRepository,
  isElsewhere: boolean,
): WantedFiles {
  const below = (path: string): string => inRepository(join(to.out, path));
  const { bundle, lock } = result.compiled;
  const all = new Map<string, string | null>([
    ...tree.removals.map((path) => [below(path), null] as const),
    ...[...bundle].map(([path, text]) => [below(path), text] as const),
    [below(RECORD_PATH), tree.recordText],
  ]);
  if (!isElsewhere) all.set(inRepository(files.lock), lock);
  return {
    files: all,
    record: { path: below(RECORD_PATH), list: (text) => listed(text).map(below) },
    keep: new Set(tree.keptEdited.map(below)),
  };
}

/** A record that cannot be read lists nothing: what it may have named stays. */
function listed(text: string): readonly string[] {
  const read = parseRecord(text);
  return read.ok ? [...read.record.keys()] : [];
}

/** The bytes that were compiled, as they must stand on the base branch: otherwise somebody pushed meanwhile. */
export async function inputsOf(
  { files, to }: PreparedPlan,
  inRepository: PathInRepository,
): Promise<ReadonlyMap<string, string | null>> {
  const inputs = new Map<string, string | null>();
  for (const path of [files.topology, files.keys, files.lock]) {
    inputs.set(inRepository(path), await readIfThere(resolve(to.cwd, path)));
  }
  return inputs;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw asDiskError(error, path);
  }
}
