import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { parseHeader } from '../../base/core/generated-files.ts';
import type { Edit } from './diff-lines.ts';

/** The differences in one file. */
export interface FileDiff {
  /** Path below `out/`; for a removed file its old path. The lock has its own path. */
  readonly path: string;
  /** Old path of a file in the folder of a renamed cluster or peer. */
  readonly formerPath: string | null;
  readonly change: 'add' | 'change' | 'remove';
  /**
   * All parts, including those without a difference, in the order of the new file, followed by those that are only in
   * the old one.
   */
  readonly parts: readonly PartDiff[];
  /** True when the same objects are in another order. */
  readonly isReordered: boolean;
  /** The reason why a reviewer need not read the whole file; `null` for a file that must be read. */
  readonly fold: FoldReason | null;
}

/** The header of a file, one of its objects, or a file without objects. */
export interface PartDiff {
  /** `Configuration liqo-tenant-rome/rome`; empty without one. */
  readonly object: string;
  /** The lines on each side; `null` when the side does not contain the object. */
  readonly old: Lines | null;
  readonly now: Lines | null;
  /** The file of the same cluster that contained the object, or contains it now; `null` for the same file. */
  readonly otherFile: string | null;
  readonly edits: readonly FoldableEdit[];
}

/** Lines `start` to `end` (exclusive) of a file. */
export interface Lines {
  readonly of: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** An edit whose numbers are line numbers of the files. */
export interface FoldableEdit extends Edit {
  /** The reason why a reviewer need not read it; `null` for an edit that must be read. */
  readonly fold: FoldReason | null;
}

/**
 * The reasons for collapsing a generated difference that follows from others. It is collapsed, but never left out.
 * - `header`: the line that names the topology file.
 * - `file-list`: an entry of a kustomization whose file or folder is new or gone on the same side.
 * - `not-applied`: the results of the manifests that Liqo will create, for comparison and to read; nothing applies
 * these files.
 * - `for-programs`: addresses.json, whose rows repeat what the manifests contain.
 * - `lock`: recorded decisions, which the manifests show.
 * - `layout`: the same documents in another layout.
 * - `renamed`: a file in a folder with the new name of a cluster, with the same lines.
 */
export const FOLD_REASONS = [
  'header',
  'file-list',
  'not-applied',
  'for-programs',
  'lock',
  'layout',
  'renamed',
] as const;
export type FoldReason = (typeof FOLD_REASONS)[number];

/** The differences in the folder of one cluster, or in the files of the whole fleet. */
export interface ClusterDiff {
  /** `null` for the files of the whole fleet. */
  readonly cluster: string | null;
  readonly formerName: string | null;
  readonly change: 'add' | 'change' | 'remove' | 'rename';
  readonly files: readonly FileDiff[];
}

/**
 * The reason for collapsing a whole file; `null` for a file that a reviewer reads. Files that weft does not write are
 * always read.
 */
export function foldOfFile(path: string): FoldReason | null {
  switch (parseBundlePath(path)?.part) {
    case 'addresses':
      return 'for-programs';
    case 'expected':
    case 'gateway-rules':
    case 'node-rules':
      return 'not-applied';
    default:
      return null;
  }
}

/** The files on one side, and every folder that contains one. */
export type Places = ReadonlySet<string>;

export function changedPlaces(paths: Iterable<string>): Places {
  const places = new Set<string>();
  for (const path of paths) {
    for (let at = path.length; at > 0 && !places.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      places.add(path.slice(0, at));
  }
  return places;
}

interface EditedFile {
  readonly path: string;
  readonly formerPath: string | null;
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** The reason for collapsing one edit of a file; `null` when one of its lines must be read. */
export function foldOfEdit(edit: Edit, file: EditedFile, were: Places, are: Places): FoldReason | null {
  const removed = file.old.slice(edit.oldStart, edit.oldEnd);
  const added = file.now.slice(edit.newStart, edit.newEnd);
  const isHeader = (lines: readonly string[], start: number): boolean =>
    start === 0 && lines.length === 1 && lines.every((it) => parseHeader(it) !== undefined);
  if (isHeader(removed, edit.oldStart) && isHeader(added, edit.newStart)) return 'header';
  const place = parseBundlePath(file.path);
  if (place === undefined || !isKustomization(place)) return null;
  const [oldFolder, folder] = [folderAbove(file.formerPath ?? file.path), folderAbove(file.path)];
  const follows = (line: string, below: string, here: Places, there: Places): boolean => {
    const [, up, entry] = /^ {2}- (?:"(\.\.\/)(?=.*"$))?([\w.-]+(?:\/[\w.-]+)*)"?$/.exec(line) ?? [];
    // Only the kustomization of `unordered/` is not above the folders of its entries.
    if (entry === undefined || (up !== undefined) !== (place.part === 'unordered')) return false;
    const path = (up === undefined ? below : folderAbove(below.slice(0, -1))) + entry;
    return here.has(path) && !there.has(path);
  };
  const isList =
    removed.every((it) => follows(it, oldFolder, were, are)) && added.every((it) => follows(it, folder, are, were));
  return isList ? 'file-list' : null;
}

/** The folder of a path with its slash; empty for the root. */
const folderAbove = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
