import { dirname } from 'node:path';
import { sortedUnique } from '../../base/core/order.ts';
import type { LinkOnPath } from '../../proof/provenance/judge-links.ts';
import type { GitCommit } from '../disk/open-commit.ts';

/** The symbolic links that a commit has at these paths, or at folders above them, below the working folder. */
export async function linksOnPath(commit: GitCommit, paths: readonly string[]): Promise<readonly LinkOnPath[]> {
  const found = sortedUnique(paths.flatMap(withFoldersAbove)).map(async (path) => {
    const tree = await commit.treeBelow(path);
    if (tree.files.get('')?.kind !== 'link') return [];
    return [{ path, target: (await tree.textsOf([''])).get('') ?? null }];
  });
  return (await Promise.all(found)).flat();
}

const withFoldersAbove = (path: string): readonly string[] =>
  /^(\.|\/|\.\.)$/.test(path) ? [] : [...withFoldersAbove(dirname(path)), path];
