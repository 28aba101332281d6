import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { parseHeader } from '../../base/core/generated-files.ts';
import type { Edit } from './diff-lines.ts';

/** What differs in one file. */
export interface FileDiff {
  /** Below `out/`; of a file that is removed, where it was. The lock has its own path. */
  readonly path: string;
  /** Where it was, if it is in the folder of a renamed cluster, or of a renamed peer. */
  readonly formerPath: string | null;
  readonly change: 'add' | 'change' | 'remove';
  /** All parts, also those without a difference, in the order of the new file; what is only in the old one comes last. */
  readonly parts: readonly PartDiff[];
  /** The same objects are in another order. */
  readonly isReordered: boolean;
  /** Why nobody needs to read the whole file; `null` for one that has to be read. */
  readonly fold: FoldReason | null;
}

/** The header of a file, one of its objects, or a file without objects. */
export interface PartDiff {
  /** `Configuration liqo-tenant-rome/rome`; empty without one. */
  readonly object: string;
  /** The lines on each side; `null` where it is not there. */
  readonly old: Lines | null;
  readonly now: Lines | null;
  /** The file of the same cluster that the object was in, or is in now; `null` for the same one. */
  readonly otherFile: string | null;
  readonly edits: readonly FoldableEdit[];
}

/** Lines `start` to `end`, without that one, of a file. */
export interface Lines {
  readonly of: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Its numbers are those of lines of the files. */
export interface FoldableEdit extends Edit {
  /** Why nobody needs to read it; `null` for an edit that has to be read. */
  readonly fold: FoldReason | null;
}

/**
 * What is generated so that it follows from other differences. It is folded away, and never left out.
 * - `header`: the line that names the topology file.
 * - `file-list`: an entry of a kustomization whose file or folder is new or gone on the same side.
 * - `not-applied`: what Liqo will make of the manifests, for comparison and to read; nothing applies these files.
 * - `for-programs`: addresses.json, whose rows repeat what the manifests contain.
 * - `lock`: recorded decisions, which the manifests show.
 * - `layout`: the same documents, written in another way.
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

/** What differs in the folder of one cluster, or in the files of the whole fleet. */
export interface ClusterDiff {
  /** `null` for the files of the whole fleet. */
  readonly cluster: string | null;
  readonly formerName: string | null;
  readonly change: 'add' | 'change' | 'remove' | 'rename';
  readonly files: readonly FileDiff[];
}

/** Why a whole file is folded away; `null` for one that a reviewer reads. Files that weft does not write are always read. */
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

/** What is on one side: every file, and every folder that contains one. */
export type Places = ReadonlySet<string>;

export function placesOf(paths: Iterable<string>): Places {
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

/** Why one edit of a file is folded away; `null` where a line of it has to be read. */
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
    // Only one list is beside the folders of its entries.
    if (entry === undefined || (up !== undefined) !== (place.part === 'unordered')) return false;
    const path = (up === undefined ? below : folderAbove(below.slice(0, -1))) + entry;
    return here.has(path) && !there.has(path);
  };
  const isList =
    removed.every((it) => follows(it, oldFolder, were, are)) && added.every((it) => follows(it, folder, are, were));
  return isList ? 'file-list' : null;
}

/** With its slash; empty for the root. */
const folderAbove = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
