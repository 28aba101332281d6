import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { parseHeader } from '../../base/core/header.ts';
import type { Edit } from './diff-lines.ts';
import type { FoldReason } from './file-diff.ts';

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
