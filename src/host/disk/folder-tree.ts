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

interface ReadFolder {
  readonly file: TreeFile;
  /** The path of the file in bytes, because a name need not be UTF-8. */
  readonly at: Buffer;
}

/**
 * The tree below a folder on disk; empty when the folder is missing. Files that git ignores and does not track are left
 * out, because no commit would contain them. Links are not followed, except at the folder itself. The executable bit is
 * not read, because a file system may not keep it.
 */
export async function folderTree(folder: string, format: ObjectFormat): Promise<FileTree> {
  const found = new Map<string, ReadFolder>();
  try {
    walkFolder({ folder: Buffer.from(folder), above: '', format, found });
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
        if (it !== undefined) texts.set(path, treeFileText(it));
      }
      return texts;
    },
  };
}

interface Walk {
  readonly folder: Buffer;
  /** The path below the folder where the walk began, with a slash at its end; empty for that folder. */
  readonly above: string;
  readonly format: ObjectFormat;
  readonly found: Map<string, ReadFolder>;
}

/** Uses synchronous calls, which are several times as fast for thousands of small files. */
function walkFolder({ folder, above, format, found }: Walk): void {
  for (const entry of folderEntries(folder, above === '')) {
    const at = Buffer.concat([folder, SLASH, entry.name]);
    const path = `${above}${decodeName(entry.name)}`;
    if (entry.isDirectory()) walkFolder({ folder: at, above: `${path}/`, format, found });
    else found.set(path, { file: fileAt(at, entry, format), at });
  }
}

const SLASH = Buffer.from('/');

function folderEntries(folder: Buffer, isFirst: boolean): readonly Dirent<Buffer>[] {
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
  if (size > LARGEST_BYTES) throw comparedFileTooLarge(at, size);
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

/**
 * The size above which a file is refused. GitHub accepts no file above 100 MiB, and a sparse file may report any size.
 */
const LARGEST_BYTES = 256 * 1024 * 1024;

const comparedFileTooLarge = (at: Buffer, bytes: number): EnvironmentError =>
  new EnvironmentError(
    `${decodeName(at)} is too large to be compared: it has ${Math.ceil(bytes / (1024 * 1024))} MiB`,
    'move or delete it',
  );

function treeFileText({ file, at }: ReadFolder): string | null {
  if (file.kind === 'link') return readableText(readlinkSync(at, { encoding: 'buffer' }));
  if (file.kind !== 'file' || lstatSync(at).size > LARGEST_SHOWN_BYTES) return null;
  return readableText(readFileSync(at));
}
