import {
  closeSync,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import type { FileTree, TreeFile } from '../../base/core/folder-files.ts';
import { asDiskError, EnvironmentError, errorCode } from './disk-error.ts';
import {
  blobHash,
  blobId,
  decodeName,
  ignoredBelow,
  LARGEST_SHOWN_BYTES,
  type ObjectFormat,
  readableText,
} from './git-objects.ts';

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
    walk({ folder: Buffer.from(folder), above: '', format, found });
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
        if (it !== undefined) texts.set(path, textOf(it));
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

/** With synchronous calls, which are several times as fast for thousands of small files. */
function walk({ folder, above, format, found }: Walk): void {
  for (const entry of entriesOf(folder, above === '')) {
    const at = Buffer.concat([folder, SLASH, entry.name]);
    const path = `${above}${decodeName(entry.name)}`;
    if (entry.isDirectory()) walk({ folder: at, above: `${path}/`, format, found });
    else found.set(path, { file: fileAt(at, entry, format), at });
  }
}

const SLASH = Buffer.from('/');

function entriesOf(folder: Buffer, isFirst: boolean): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (isFirst && errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function fileAt(at: Buffer, entry: Dirent<Buffer>, format: ObjectFormat): TreeFile {
  if (entry.isSymbolicLink()) return { kind: 'link', id: blobId(readlinkSync(at, { encoding: 'buffer' }), format) };
  if (!entry.isFile()) return { kind: 'other', id: '' };
  const { size } = lstatSync(at);
  if (size > LARGEST_BYTES) throw tooLarge(at, size);
  return { kind: 'file', id: size <= PIECE_BYTES ? blobId(readFileSync(at), format) : idInPieces(at, size, format) };
}

function idInPieces(at: Buffer, size: number, format: ObjectFormat): string {
  const hash = blobHash(size, format);
  const piece = Buffer.alloc(PIECE_BYTES);
  const file = openSync(at, 'r');
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
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

function textOf({ file, at }: Found): string | null {
  if (file.kind === 'link') return readableText(readlinkSync(at, { encoding: 'buffer' }));
  if (file.kind !== 'file' || lstatSync(at).size > LARGEST_SHOWN_BYTES) return null;
  return readableText(readFileSync(at));
}
