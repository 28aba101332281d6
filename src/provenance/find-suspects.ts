import type { TreeFile } from '../core/file-tree.ts';
import { sortedUnique } from '../core/order.ts';

type Files = ReadonlyMap<string, TreeFile>;

/** Trees of a pull request, by path below `out/`. */
interface Trees {
  /** What the pull request contains. */
  readonly head: Files;
  /** What it may have kept: the base, and the commit that it branched off. */
  readonly bases: readonly Files[];
  /** What its topology compiles to. */
  readonly wanted: Files;
}

/**
 * The paths at which the head has neither the bytes that its topology compiles to nor those of a base. Names of bytes decide,
 * so that only these few files must be read: line ends may be all that is different.
 */
export function findSuspects({ head, bases, wanted }: Trees): readonly string[] {
  const paths = sortedUnique([...head.keys(), ...bases.flatMap((it) => [...it.keys()]), ...wanted.keys()]);
  return paths.filter((path) => {
    const found = head.get(path);
    return ![wanted, ...bases].some((it) => isSame(found, it.get(path)));
  });
}

/** A file that is absent in both is the same, too: it was not written yet, or not removed. */
const isSame = (a: TreeFile | undefined, b: TreeFile | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id);
