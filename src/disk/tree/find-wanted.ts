import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLf } from '../../core/line-ends.ts';
import type { DiskView, FolderAccess } from './disk-view.ts';
import type { Stale } from './find-stale.ts';
import { inBatches } from './in-batches.ts';
import type { KnownFiles } from './known-files.ts';
import { parentOf, sha256 } from './tree-path.ts';
import { blockedPath, foreignFile } from './tree-problems.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** A file that must be written. */
export interface Placement {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  /** Whether weft has no file there yet. */
  readonly isNew: boolean;
}

/** The requested files, compared with those on disk. */
interface Wanted {
  readonly problems: readonly TreeProblem[];
  readonly placements: readonly Placement[];
  readonly unchanged: number;
  /** Path -> hash of every wanted file. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Whether a stale file is at the path of a placement or of its folder. */
  readonly removalsComeFirst: boolean;
}

type Verdict = 'equal' | 'changed' | 'new' | 'new-after-removals' | TreeProblem;

interface Surroundings {
  readonly root: string;
  readonly known: KnownFiles;
  readonly view: DiskView;
  readonly stale: Stale;
}

export async function findWanted(request: TreeRequest, around: Surroundings): Promise<Wanted> {
  const hashes = new Map<string, string>();
  const placements: Placement[] = [];
  // One link or file at the path of a folder can block many files; it is reported once.
  const problems = new Map<string, TreeProblem>();
  let removalsComeFirst = false;
  await inBatches(request.files, ([path, text]) => {
    const hash = sha256(text);
    hashes.set(path, hash);
    const verdict = judge(path, text, around);
    if (verdict === 'equal') return;
    if (typeof verdict === 'object') problems.set(verdict.path, verdict);
    else placements.push({ path, text, hash, isNew: verdict !== 'changed' });
    removalsComeFirst ||= verdict === 'new-after-removals';
  });
  const unchanged = hashes.size - placements.length;
  return { problems: [...problems.values()], placements, unchanged, hashes, removalsComeFirst };
}

function judge(path: string, text: string, { root, known, view, stale }: Surroundings): Verdict {
  const access = view.accessTo(parentOf(path));
  if (access.kind !== 'open') return judgeAccess(access, root, stale);
  const entry = view.entryOf(path);
  if (entry.kind === 'missing') return 'new';
  if (entry.kind === 'folder' && dissolves(path, view, stale)) return 'new-after-removals';
  if (entry.kind !== 'file') return blockedPath(root, path, entry.kind);
  // The hash in the record does not prove the current content; only the bytes do.
  if (hasText(join(root, path), entry.bytes, text)) return 'equal';
  return known.isOurs(path) ? 'changed' : foreignFile(root, path);
}

/** Whether a file of some bytes has a text, in whatever line ends. */
function hasText(path: string, bytes: number, text: string): boolean {
  const wanted = Buffer.from(text);
  if (bytes === wanted.length) return readFileSync(path).equals(wanted);
  // With `\r\n`, a file is longer by at most one byte a line, and by at least one.
  if (bytes < wanted.length || bytes > 2 * wanted.length) return false;
  return withLf(readFileSync(path, 'utf8')) === text;
}

function judgeAccess(access: Exclude<FolderAccess, { kind: 'open' }>, root: string, stale: Stale): Verdict {
  if (access.kind === 'missing') return 'new';
  return stale.removals.has(access.at) ? 'new-after-removals' : blockedPath(root, access.at, access.by);
}

/** Whether a folder disappears with the removals. */
function dissolves(folder: string, view: DiskView, stale: Stale): boolean {
  if (!stale.folders.has(folder)) return false;
  return view.list(folder).every((it) => {
    if (it.kind === 'folder') return dissolves(it.path, view, stale);
    return it.kind === 'file' && stale.removals.has(it.path);
  });
}
