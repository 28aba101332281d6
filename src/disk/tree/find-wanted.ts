import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskView, Way } from './disk-view.ts';
import type { Stale } from './find-stale.ts';
import { inBatches } from './in-batches.ts';
import type { KnownFiles } from './known-files.ts';
import { parentOf, sha256 } from './tree-path.ts';
import { foreignFile, inTheWay } from './tree-problems.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** A file that has to be put in place. */
export interface Placement {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  /** Whether no file of weft's is there yet. */
  readonly isNew: boolean;
}

/** What the request wants, set against what is there. */
export interface Wanted {
  readonly problems: readonly TreeProblem[];
  readonly placements: readonly Placement[];
  readonly unchanged: number;
  /** Path -> hash of every wanted file. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Whether a stale file stands where a placement or its folder goes. */
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
  // One link or file where a folder goes can be in the way of many files; it is said once.
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
  const way = view.wayTo(parentOf(path));
  if (way.kind !== 'open') return judgeWay(way, root, stale);
  const entry = view.look(path);
  if (entry.kind === 'missing') return 'new';
  if (entry.kind === 'folder' && dissolves(path, view, stale)) return 'new-after-removals';
  if (entry.kind !== 'file') return inTheWay(root, path, entry.kind);
  // The record's hash is no proof of what lies there now: the bytes are.
  const wanted = Buffer.from(text);
  if (entry.bytes === wanted.length && readFileSync(join(root, path)).equals(wanted)) return 'equal';
  return known.isOurs(path) ? 'changed' : foreignFile(root, path);
}

function judgeWay(way: Exclude<Way, { kind: 'open' }>, root: string, stale: Stale): Verdict {
  if (way.kind === 'missing') return 'new';
  return stale.removals.has(way.at) ? 'new-after-removals' : inTheWay(root, way.at, way.by);
}

/** Whether nothing is left of a folder once the removals are done. */
function dissolves(folder: string, view: DiskView, stale: Stale): boolean {
  if (!stale.folders.has(folder)) return false;
  return view.list(folder).every((it) => {
    if (it.kind === 'folder') return dissolves(it.path, view, stale);
    return it.kind === 'file' && stale.removals.has(it.path);
  });
}
