import { type FolderFiles, folderFiles, folderOf } from '../../base/core/folder-files.ts';
import { groupBy } from '../../base/core/group-by.ts';
import { withLf } from '../../base/core/line-ends.ts';
import { blobId, type ObjectFormat } from './blob-id.ts';
import { type GitEntry, readBlobsNow } from './git-objects.ts';

type Files = ReadonlyMap<string, string>;

interface Blobs {
  /** Root of the repository. */
  readonly root: string;
  readonly format: ObjectFormat;
  /** The files, by their path below the folder that is read. */
  readonly entries: readonly GitEntry[];
  /** Files of which most may be the same. */
  readonly like: FolderFiles;
}

/** So many folders are read together at most. */
const MOST_FOLDERS = 256;

/**
 * The texts of a commit, with `\n` at the ends of lines, folder by folder. A file with the name that git gives to the text of the
 * same file in `like` is not read. A process of git for each folder costs more than its files, so as long as folders differ,
 * each process reads twice as many of them as the one before.
 */
export function commitFiles({ root, format, entries, like }: Blobs): FolderFiles {
  const folders = groupBy(entries, (it) => [folderOf(it.path)]);
  const ahead = new Map<string, Files>();
  let together = 0;
  const names = [...folders.keys()];
  const positions = new Map(names.map((it, index) => [it, index]));
  const read = (folder: string): Files => {
    const there = ahead.get(folder);
    if (there !== undefined) {
      ahead.delete(folder);
      return there;
    }
    const all = folders.get(folder) ?? [];
    const alike = like.inFolder(folder);
    const isAlike = ({ path, id }: GitEntry): boolean => {
      const text = alike.get(path);
      return text !== undefined && blobId(text, format) === id;
    };
    const others = all.filter((it) => !isAlike(it));
    together = others.length === 0 ? 0 : Math.min(MOST_FOLDERS, Math.max(1, together * 2));
    if (others.length === 0 && all.length === alike.size) return alike;
    const at = positions.get(folder) ?? 0;
    const next = names.slice(at + 1, at + together).filter((it) => !ahead.has(it));
    const blobs = readBlobsNow(root, [...others, ...next.flatMap((it) => folders.get(it) ?? [])]);
    const textsOf = (list: readonly GitEntry[]): Files =>
      new Map(list.map(({ path }) => [path, textOf(blobs.get(path)) ?? alike.get(path) ?? '']));
    for (const it of next) ahead.set(it, textsOf(folders.get(it) ?? []));
    return textsOf(all);
  };
  return folderFiles(new Map(names.map((it) => [it, () => read(it)])));
}

const textOf = (bytes: Buffer | undefined): string | undefined => bytes && withLf(bytes.toString());
