import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { withLf } from '../../../base/core/line-ends.ts';
import type { DiskView } from './disk-view.ts';
import type { KnownFolder } from './known-folder.ts';
import { foldersOverAll, parentOf } from './tree-path.ts';
import type { WantedFolder } from './wanted-folder.ts';

/** Files that weft wrote and that are no longer generated. */
export interface Stale {
  /** Unchanged since weft wrote them. */
  readonly removals: readonly string[];
  /** Changed since weft wrote them. */
  readonly keptEdited: readonly string[];
  /**
   * Folders that may be empty once the removals are done: those above a stale file, even one that was already removed, since a run
   * may have been killed before it removed them.
   */
  readonly folders: readonly string[];
}

interface Folder {
  readonly root: string;
  readonly wanted: Pick<WantedFolder, 'paths' | 'rows'>;
  readonly covered: (path: string) => boolean;
  readonly known: KnownFolder;
  readonly view: DiskView;
}

/** The stale files of one folder below root. */
export function findStale({ root, wanted, covered, known, view }: Folder): Stale {
  const stale = new Set<string>();
  const candidates = [...known.pathsBeside(wanted.rows)];
  const isWanted = new Set(candidates.length === 0 ? [] : wanted.paths);
  for (const it of candidates) if (!isWanted.has(it) && covered(it)) stale.add(it);
  const removals: string[] = [];
  const keptEdited: string[] = [];
  for (const path of stale) {
    const kind = view.accessTo(parentOf(path)).kind === 'open' ? view.kindOf(path) : 'missing';
    // A folder at this path is either a foreign one, or contains a file that is generated now.
    if (kind === 'missing' || kind === 'folder') continue;
    if (kind === 'file' && known.wrote(path, () => hashOfFile(join(root, path)))) removals.push(path);
    else if (known.isListed(path)) keptEdited.push(path);
  }
  const folders = [...foldersOverAll(stale)].filter(
    (it) => view.accessTo(it).kind === 'open' && !wanted.paths.some((path) => path.startsWith(`${it}/`)),
  );
  return { removals, keptEdited, folders };
}

/** Of the text with `\n` as its line ends. Read in pieces, since the file may have any size. */
function hashOfFile(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(1 << 16);
  const file = openSync(path, 'r');
  let held = ''; // A `\r` at the end of a piece: the next piece shows whether it belongs to a line end.
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      // In latin1 each byte is one character, so nothing but line ends changes.
      const text = held + piece.toString('latin1', 0, read);
      held = text.endsWith('\r') ? '\r' : '';
      hash.update(withLf(held === '' ? text : text.slice(0, -1)), 'latin1');
    }
  } finally {
    closeSync(file);
  }
  return hash.update(held, 'latin1').digest('hex');
}
