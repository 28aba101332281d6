import type { TreeFile } from '../../base/core/file-tree.ts';
import { sortedUnique } from '../../base/core/order.ts';

type Files = ReadonlyMap<string, TreeFile>;

/** Trees of a pull request, by path below `out/`. */
interface Trees {
  /** What the pull request contains. */
  readonly head: Files;
  /** What it may have kept, one at least: the base, and the commit that it branched off. */
  readonly bases: readonly Files[];
  /** What its topology compiles to, which costs more than a look at a base. */
  readonly wanted: (path: string) => TreeFile | undefined;
}

/**
 * The paths at which the head has neither the bytes that its topology compiles to nor those of a base. Names of bytes decide,
 * so that only these few files must be read: line ends may be all that is different. What is as in a base is not compared with
 * anything else, and so is a file that only the topology has: no base has it, and the head may do without it, too.
 */
export function findSuspects({ head, bases, wanted }: Trees): readonly string[] {
  const changed = new Set<string>();
  for (const tree of [head, ...bases]) {
    for (const path of tree.keys()) {
      const found = head.get(path);
      if (!bases.some((it) => isSame(found, it.get(path)))) changed.add(path);
    }
  }
  return sortedUnique(changed).filter((path) => !isSame(head.get(path), wanted(path)));
}

/** A file that is absent in both is the same, too: it was not written yet, or not removed. */
const isSame = (a: TreeFile | undefined, b: TreeFile | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id);
