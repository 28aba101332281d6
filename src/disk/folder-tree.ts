import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import type { FileTree, TreeFile } from '../core/file-tree.ts';
import { blobHash, blobId, type ObjectFormat } from './blob-id.ts';
import { asDiskError, errorCode } from './disk-error.ts';
import { EnvironmentError } from './environment-error.ts';
import { decodeName } from './git-objects.ts';
import { ignoredBelow } from './ignored-below.ts';
import { LARGEST_SHOWN_BYTES, readableText } from './readable-text.ts';

interface Found {
  readonly file: TreeFile;
  /** Bytes, because a name need not be UTF-8. */
  readonly at: Buffer;
}

/**
 * The tree below a folder on disk, without files that git ignores and does not track, because no commit would have them; empty without that folder. Links are not followed, except one at the folder itself. Whether
 * a file may be run is not read, since a file system may not keep it.
 */
export async function folderTree(folder: string, format: ObjectFormat): Promise<FileTree> {
  const found = new Map<string, Found>();
  try {
    await walk({ folder: Buffer.from(folder), above: '', format, found });
    // git cannot run in a folder that does not exist.
    if (found.size > 0) for (const path of await ignoredBelow(folder)) found.delete(path);
  } catch (error) {
    throw asDiskError(error, folder);
  }
  return {
    files: new Map([...found].map(([path, it]) => [path, it.file])),
    textsOf: async (paths) => {
      const texts = new Map<string, string | null>();
      for (const path of paths) {
        const it = found.get(path);
        if (it !== undefined) texts.set(path, await textOf(it));
      }
      return texts;
    },
  };
}

interface Walk {
  readonly folder: Buffer;
  /** Path of the folder below the first one, with a slash at its end. */
  readonly above: string;
  readonly format: ObjectFormat;
  readonly found: Map<string, Found>;
}

async function walk({ folder, above, format, found }: Walk): Promise<void> {
  for (const entry of await entriesOf(folder, above === '')) {
    const at = Buffer.concat([folder, SLASH, entry.name]);
    const path = `${above}${decodeName(entry.name)}`;
    if (entry.isDirectory()) await walk({ folder: at, above: `${path}/`, format, found });
    else found.set(path, { file: await fileAt(at, entry, format), at });
  }
}

const SLASH = Buffer.from('/');

async function entriesOf(folder: Buffer, isFirst: boolean): Promise<readonly Dirent<Buffer>[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (isFirst && errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function fileAt(at: Buffer, entry: Dirent<Buffer>, format: ObjectFormat): Promise<TreeFile> {
  if (entry.isSymbolicLink()) {
    const target = await readlink(at, { encoding: 'buffer' });
    return { kind: 'link', id: blobId(target, format) };
  }
  if (!entry.isFile()) return { kind: 'other', id: '' };
  const { size } = await lstat(at);
  if (size > LARGEST_BYTES) throw tooLarge(at, size);
  if (size <= PIECE_BYTES) return { kind: 'file', id: blobId(await readFile(at), format) };
  const hash = blobHash(size, format);
  for await (const piece of createReadStream(at, { highWaterMark: PIECE_BYTES })) hash.update(piece as Buffer);
  return { kind: 'file', id: hash.digest('hex') };
}

/** Larger files are read in pieces. */
const PIECE_BYTES = 1 << 20;

/** No repository on GitHub has a file of 100 MiB, and a file without blocks on the disk may claim any size. */
const LARGEST_BYTES = 256 * 1024 * 1024;

const tooLarge = (at: Buffer, bytes: number): EnvironmentError =>
  new EnvironmentError(
    `${decodeName(at)} is too large to be compared: it has ${Math.ceil(bytes / (1024 * 1024))} MiB`,
    'move or delete it',
  );

async function textOf({ file, at }: Found): Promise<string | null> {
  if (file.kind === 'link') return readableText(await readlink(at, { encoding: 'buffer' }));
  if (file.kind !== 'file' || (await lstat(at)).size > LARGEST_SHOWN_BYTES) return null;
  return readableText(await readFile(at));
}
