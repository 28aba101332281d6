import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { withLf } from '../../core/line-ends.ts';
import type { DiskView } from './disk-view.ts';
import { inBatches } from './in-batches.ts';
import type { KnownFiles } from './known-files.ts';
import { foldersOver, parentOf, scopeCovers } from './tree-path.ts';
import type { TreeRequest } from './tree-request.ts';

/** Files that weft wrote in a scope and that are no longer generated. */
export interface Stale {
  /** Unchanged since weft wrote them. */
  readonly removals: ReadonlySet<string>;
  /** Changed since weft wrote them. */
  readonly keptEdited: readonly string[];
  /** Folders above a stale file, even one that was already removed: a run may have been killed before it removed them. */
  readonly folders: ReadonlySet<string>;
}

export async function findStale(request: TreeRequest, known: KnownFiles, view: DiskView): Promise<Stale> {
  const covered = scopeCovers(request.scope);
  const stale = [...known.paths()].filter((it) => covered(it) && !request.files.has(it));
  const removals = new Set<string>();
  const keptEdited: string[] = [];
  await inBatches(stale, (path) => {
    const kind = view.accessTo(parentOf(path)).kind === 'open' ? view.entryOf(path).kind : 'missing';
    // A folder at this path is either a foreign one, or contains a file that is generated now.
    if (kind === 'missing' || kind === 'folder') return;
    if (kind === 'file' && known.wrote(path, () => hashOfFile(join(request.root, path)))) removals.add(path);
    else if (known.isListed(path)) keptEdited.push(path);
  });
  return { removals, keptEdited, folders: new Set(stale.flatMap(foldersOver)) };
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
