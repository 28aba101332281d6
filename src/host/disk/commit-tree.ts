import type { FileTree, TreeFileKind } from '../../base/core/file-tree.ts';
import { listEntries, readBlobs } from './git-objects.ts';
import { readableText } from './readable-text.ts';

/** Mode of an entry -> its kind. Source: git, Documentation/git-fast-import, "filemodify". */
const KINDS: Readonly<Record<string, TreeFileKind>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
};

/** The tree of a commit below a folder; the folder itself, where it is a link or a file, has the empty path. */
export async function commitTree(root: string, commit: string, folder: string): Promise<FileTree> {
  const prefix = folder === '' ? 0 : folder.length + 1;
  const entries = new Map(
    (await listEntries(root, commit, folder)).map(({ path, mode, id }) => [
      path.slice(prefix),
      { kind: KINDS[mode] ?? 'other', id } as const,
    ]),
  );
  return {
    files: entries,
    textsOf: async (paths) => {
      const wanted = [...paths].flatMap((path) => {
        const entry = entries.get(path);
        // A submodule is a commit of another repository.
        return entry === undefined || entry.kind === 'submodule' ? [] : [{ path, id: entry.id }];
      });
      const blobs = await readBlobs(root, wanted);
      return new Map([...blobs].map(([path, bytes]) => [path, readableText(bytes)]));
    },
  };
}
