import { asDiskError } from '../disk-error.ts';
import { inspectTree } from './inspect-tree.ts';
import type { TreeMemory } from './tree-memory.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** The changes that `writeTree` would make. Paths are below root, sorted by code unit. */
export type TreeDifference =
  | {
      readonly kind: 'compared';
      readonly created: readonly string[];
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      /** Files that are no longer generated but were edited by hand: `writeTree` would keep them. */
      readonly keptEdited: readonly string[];
      readonly unchanged: number;
      /** The records of written files that would change. */
      readonly changedRecords: readonly string[];
      readonly lockChanged: boolean;
      /** True when nothing would change. */
      readonly isCurrent: boolean;
    }
  | { readonly kind: 'refused'; readonly problems: readonly TreeProblem[] };

/** Compares the requested tree with the disk. Writes nothing, takes no lock, and works on a read-only file system. */
export async function compareTree(request: TreeRequest, memory: TreeMemory | null = null): Promise<TreeDifference> {
  const found = await inspectTree(request, { memory }).catch((error: unknown) => {
    throw asDiskError(error, request.root);
  });
  if (found.kind === 'refused') return found;
  const changes = found.placements.length + found.removals.length;
  return {
    kind: 'compared',
    created: found.placements.filter((it) => it.isNew).map((it) => it.path),
    changed: found.placements.filter((it) => !it.isNew).map((it) => it.path),
    removed: found.removals,
    keptEdited: found.keptEdited,
    unchanged: found.unchanged,
    changedRecords: found.changedRecords,
    lockChanged: found.lockChanged,
    isCurrent: changes === 0 && found.changedRecords.length === 0 && !found.lockChanged,
  };
}
