import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printRecords } from '../../../../src/base/core/print-records.ts';
import { isRecord, parseRecord } from '../../../../src/host/disk/tree/bundle-record.ts';
import type { ThreadUse } from '../../../../src/host/disk/tree/staging-thread.ts';
import { sha256 } from '../../../../src/host/disk/tree/tree-path.ts';

/** The thread that stages files, as it was built, for trees of any size. */
export const STAGING_THREAD: ThreadUse = {
  program: fileURLToPath(new URL('../../../../dist/stage-files.cjs', import.meta.url)),
  fromFolders: 1,
};

/** Runs with a folder of its own, which is gone afterwards. */
/** Runs `act` while this process may write nothing in a folder, which root may do unless it acts as another user. */
export async function withoutWriting<T>(folder: string, act: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  const mode = statSync(folder).mode;
  chmodSync(folder, 0o555);
  if (isRoot) process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, mode);
  }
}

export async function withFolder<T>(act: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weft-tree-')));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything below a folder: path -> text; `folder/` -> nothing; a link -> where it leads. */
export function readTree(root: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const visit = (below: string): void => {
    for (const name of readdirSync(join(root, below))) {
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(root, path));
      if (stat.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(root, path))}`;
      else if (stat.isDirectory()) {
        tree[`${path}/`] = '';
        visit(path);
      } else tree[path] = stat.isFile() ? readFileSync(join(root, path), 'utf8') : 'special';
    }
  };
  visit('');
  return tree;
}

/** The files of a tree alone, without those of weft's own folder. */
export const filesOf = (tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith('/') && !path.startsWith('.weft/')));

/** The result of `readTree` after a tree of these files was written to an empty folder. */
export function writtenTree(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const records = printRecords(new Map(Object.entries(files).map(([path, text]) => [path, [sha256(text)]])));
  // A process that releases the lock removes its folder when it is empty.
  const tree: Record<string, string> = {
    ...(records.size > 0 ? { '.weft/': '' } : {}),
    ...Object.fromEntries(records),
  };
  for (const [path, text] of Object.entries(files)) {
    tree[path] = text;
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) tree[`${folder}/`] = '';
  }
  return tree;
}

/** Writes files on disk like another user. */
export function putFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The paths in the records below root, sorted. */
export const recordedPaths = (root: string): readonly string[] =>
  Object.entries(readTree(root))
    .filter(([path]) => isRecord(path))
    .flatMap(([, text]) => {
      const read = parseRecord(text);
      if (!read.ok) throw new Error(read.message);
      return [...read.record.keys()];
    })
    .sort();
