import { asDiskError } from '../disk-error.ts';
import { applyTree, sweepLeftovers } from './apply-tree.ts';
import { type Inspection, inspectTree } from './inspect-tree.ts';
import { takeProcessLock } from './process-lock.ts';
import { earlyProblems } from './request-problems.ts';
import { openStaging, sweepStaging } from './staging.ts';
import type { TreeMemory } from './tree-memory.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

export type { TreeProblem, TreeRequest } from './tree-request.ts';

export type TreeResult =
  | {
      readonly kind: 'written';
      /** Paths below root, sorted by code unit, in all of these lists. */
      readonly created: readonly string[];
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      /** Files that are no longer generated but were edited by hand: they stay, and weft no longer manages them. */
      readonly keptEdited: readonly string[];
      readonly unchanged: number;
      readonly lockChanged: boolean;
    }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly problems: readonly TreeProblem[] }
  /** Another run writes the same tree and did not finish in time. Nothing was changed. */
  | { readonly kind: 'busy'; readonly holder: string }
  /** `mayApply` returned false. Nothing was changed. */
  | { readonly kind: 'not-allowed' };

export interface WriteOptions {
  /** Called before the first change; the run stops unless it returns true. */
  readonly mayApply?: (found: Inspection) => Promise<boolean>;
  /** The time to wait for another run that writes the same tree. */
  readonly waitMilliseconds?: number;
  /** A cache for a process that writes the same tree repeatedly. */
  readonly memory?: TreeMemory | null;
  /** Called after each step; tests stop the process there. */
  readonly onStep?: (step: string) => void;
}

const WAIT_MILLISECONDS = 3000;

/**
 * Writes the requested tree, or changes nothing. After a kill at any moment, every file is complete, old or new, and
 * the next run produces the tree that this run would have written. Throws a `DiskError` on a disk failure.
 */
export async function writeTree(request: TreeRequest, options: WriteOptions = {}): Promise<TreeResult> {
  try {
    return await lockAndWrite(request, options);
  } catch (error) {
    throw asDiskError(error, request.root);
  }
}

async function lockAndWrite(request: TreeRequest, options: WriteOptions): Promise<TreeResult> {
  // No lock is created through a link, or for a request that cannot be fulfilled.
  const problems = earlyProblems(request);
  if (problems.length > 0) return { kind: 'refused', problems };
  const onStep = options.onStep ?? (() => undefined);
  const waitMilliseconds = options.waitMilliseconds ?? WAIT_MILLISECONDS;
  const lock = await takeProcessLock({ root: request.root, waitMilliseconds });
  if (lock.kind === 'busy') return lock;
  try {
    onStep('process lock taken');
    return await inspectAndWrite(request, { mayApply: async () => true, memory: null, ...options, onStep });
  } finally {
    lock.release();
    onStep('process lock released');
  }
}

async function inspectAndWrite(
  request: TreeRequest,
  { mayApply, memory, onStep }: Required<Pick<WriteOptions, 'mayApply' | 'memory' | 'onStep'>>,
): Promise<TreeResult> {
  // Removes the staged files of a killed run.
  sweepStaging(request.root);
  try {
    const found = await inspectTree(request, { staging: openStaging(request.root, onStep), memory });
    if (found.kind === 'refused') return found;
    onStep('inspected');
    if (!(await mayApply(found))) return { kind: 'not-allowed' };
    sweepLeftovers(request);
    onStep('leftovers swept');
    await applyTree(request, found, onStep);
    return writtenResult(found);
  } finally {
    // On failure, for example a full disk, the staged files are removed and the tree is unchanged.
    sweepStaging(request.root);
    onStep('staging removed');
  }
}

const writtenResult = (found: Inspection): TreeResult => ({
  kind: 'written',
  created: found.placements.filter((it) => it.isNew).map((it) => it.path),
  changed: found.placements.filter((it) => !it.isNew).map((it) => it.path),
  removed: found.removals,
  keptEdited: found.keptEdited,
  unchanged: found.unchanged,
  lockChanged: found.lockChanged,
});
