import { join } from 'node:path';
import { OWN_FOLDER } from '../../base/core/bundle-path.ts';
import { bug } from '../../base/diagnostics/bug.ts';
import type { Checkout } from '../disk/checkout.ts';
import type { Inspection } from '../disk/tree/inspect-tree.ts';
import { listedFiles } from '../disk/tree/listed-files.ts';
import type { WantedFiles } from '../forge/wanted-files.ts';
import type { CollectedIdentities } from './collected-identities.ts';
import type { TopologyFiles } from './find-topology.ts';
import { OperationRefused } from './operation-refused.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';

/** A plan whose bundles can be written. */
export interface WantedPlan extends Pick<PlannedPullRequest, 'topology' | 'out'> {
  readonly tree: Inspection;
}

/** What is proposed besides what was compiled. */
interface Proposal {
  /** The manifests go to another repository than that of the topology. */
  readonly isElsewhere: boolean;
  /** The identities file, if this run has changed it. */
  readonly collected: CollectedIdentities | null;
}

/**
 * All that `weft compile` would leave in the repository, bundles, records and lock, with the identities file that it was made
 * from. In another repository the lock is left out.
 */
export function wantedTree(
  { topology, out, tree }: WantedPlan,
  checkout: Checkout,
  { isElsewhere, collected }: Proposal,
): WantedFiles {
  const below = (path: string): string => inRepository(checkout, join(out, path));
  const { bundle, lock } = topology.compiled;
  const lockFile = isElsewhere ? [] : [[inRepository(checkout, topology.files.lock), lock] as const];
  return {
    files: oneFilePerPath([
      ...tree.removals.map((path) => [below(path), null] as const),
      ...[...bundle].map(([path, text]) => [below(path), text] as const),
      ...[...tree.records].map(([path, text]) => [below(path), text] as const),
      ...lockFile,
      ...(collected === null ? [] : [[inRepository(checkout, topology.files.identities), collected.after] as const]),
    ]),
    records: {
      folder: below(OWN_FOLDER),
      list: (name, text) => listedFiles(`${OWN_FOLDER}/${name}`, text)?.map(below),
    },
    keep: new Set(tree.keptEdited.map(below)),
  };
}

/** Two files at one path are a bug: one would be lost. A lock at the path of another file was refused before. */
function oneFilePerPath(entries: readonly (readonly [string, string | null])[]): ReadonlyMap<string, string | null> {
  const files = new Map<string, string | null>();
  for (const [path, text] of entries) {
    if (files.has(path)) bug(`two files of the pull request have the path ${path}`);
    files.set(path, text);
  }
  return files;
}

/** The bytes that were compiled, as they must be on the base branch: otherwise there was a push meanwhile. */
export async function inputsOf(
  { topology, keys, identities, lock }: TopologyFiles,
  checkout: Checkout,
  collected: CollectedIdentities | null,
): Promise<ReadonlyMap<string, string | null>> {
  const inputs = new Map<string, string | null>();
  for (const path of [topology, keys, identities, lock])
    inputs.set(inRepository(checkout, path), await checkout.rawText(path));
  if (collected !== null) inputs.set(inRepository(checkout, identities), collected.before);
  return inputs;
}

function inRepository(checkout: Checkout, path: string): string {
  const found = checkout.pathInRepository(path);
  if (found !== undefined) return found;
  throw new OperationRefused({ kind: 'path-outside-checkout', path, root: checkout.root });
}
