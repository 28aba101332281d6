import { kindOf } from './changes/change-kinds.ts';
import type { Difference } from './difference.ts';
import type { FileClaim } from './file-claim.ts';
import { pairOf } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';
import { isEntryPoint, type PlanFile } from './plan-file.ts';

/**
 * The differences that explain a file. Narrow on purpose: a file that changed and that nothing here claims is reported as
 * such, and a test checks that no edit of a topology leaves such a file.
 */
export function claimsOf<T extends Difference>(
  differences: readonly T[],
  context: PlanContext,
): (file: PlanFile) => readonly T[] {
  const byFolder = new Map<string, Entry<T>[]>();
  // By what they cover: each of thousands of shortcuts covers the same files, so a file is judged once for all of them.
  const anywhere = new Map<Entry<T>['covers'], Entry<T>[]>();
  for (const [index, it] of differences.entries()) {
    const claims = kindOf(it).explains(it, context);
    // A difference that reaches beyond the folders of its own clusters is listed after the others.
    const isLate = claims.some(({ of }) => of === 'all-files') || isOfShortcut(it, context);
    const position = isLate ? differences.length + index : index;
    for (const claim of claims) {
      const entry = { it, position, covers: 'covers' in claim ? claim.covers : coversAll };
      if (claim.of === 'all-files') append(anywhere, entry.covers, entry);
      else append(byFolder, folderOfClaim(claim), entry);
    }
  }
  return (file) => {
    const inFolder = (byFolder.get(folderOf(file)) ?? []).filter(({ covers }) => covers(file));
    const inAny = [...anywhere].flatMap(([covers, entries]) => (covers(file) ? entries : []));
    const entries = [...inFolder, ...inAny];
    return [...new Set(entries.sort((a, b) => a.position - b.position).map(({ it }) => it))];
  };
}

interface Entry<T> {
  readonly it: T;
  readonly position: number;
  readonly covers: (file: PlanFile) => boolean;
}

const coversAll = (): boolean => true;

function isOfShortcut(it: Difference, { shortcuts }: PlanContext): boolean {
  const [a, b, ...more] = kindOf(it).subject(it).clusters;
  return a !== undefined && b !== undefined && more.length === 0 && shortcuts.has(pairOf(a, b));
}

function append<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

const folderOfClaim = (claim: Exclude<FileClaim, { of: 'all-files' }>): string =>
  claim.of === 'cluster' ? inCluster(claim.cluster) : claim.of;

function folderOf(file: PlanFile): FileClaim['of'] | string {
  if (file.cluster !== null) return inCluster(file.cluster);
  return isEntryPoint(file) ? 'entry-points' : (file.place?.part ?? '');
}

/** No cluster name contains a space, so the key equals no other folder. */
const inCluster = (cluster: string): string => `cluster ${cluster}`;
