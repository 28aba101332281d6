import { type FolderFiles, folderOf } from '../../base/core/folder-files.ts';
import {
  type ClusterDiff,
  changedPlaces,
  diffLines,
  type Edit,
  type FileDiff,
  type FoldReason,
  foldOfEdit,
  foldOfFile,
  type Lines,
  linesOf,
  type PartDiff,
  type Places,
} from './file-diff.ts';
import {
  type ChangedFile,
  isReordered,
  type PairedFile,
  type Pairing,
  pairByKind,
  pairFiles,
  pairObjects,
  type Renames,
  renamedObject,
  renamesOf,
  wholeFile,
} from './pairs.ts';

export interface DiffRequest {
  /** The files of both sides, and those of them that differ. */
  readonly before: FolderFiles;
  readonly after: FolderFiles;
  readonly changes: readonly ChangedFile[];
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly lock: { readonly path: string; readonly before: string | null; readonly after: string | null };
}

interface FleetDiff {
  /** Number of entries in `clusters`. */
  readonly size: number;
  /** Clusters by name, then the files of the whole fleet. Only one of them is in memory at a time. */
  readonly clusters: () => Iterable<ClusterDiff>;
}

/** The differences between two sides of a fleet, line by line, by cluster. */
export function diffFleet({ before, after, changes, renames, lock }: DiffRequest): FleetDiff {
  const names = renamesOf(renames);
  const paired = pairFiles(changes, names);
  const locks = lock.before === lock.after ? [] : [lockDiff(lock)];
  if (locks.length > 0 && !paired.has('')) return { size: paired.size + 1, clusters };
  return { size: paired.size, clusters };

  function* clusters(): Iterable<ClusterDiff> {
    for (const [cluster, files] of paired) {
      if (cluster !== '') yield diffCluster(cluster, files);
    }
    const ofFleet = paired.get('') ?? [];
    if (ofFleet.length + locks.length === 0) return;
    yield {
      cluster: null,
      formerName: null,
      change: 'change',
      files: [...diffFiles(ofFleet, around(ofFleet, before), around(ofFleet, after)), ...locks],
    };
  }

  function diffCluster(cluster: string, files: readonly PairedFile[]): ClusterDiff {
    const formerName = names.oldNames.get(cluster) ?? null;
    const was = before.inFolder(formerName ?? cluster);
    const is = after.inFolder(cluster);
    const change = formerName !== null ? 'rename' : was.size === 0 ? 'add' : is.size === 0 ? 'remove' : 'change';
    return { cluster, formerName, change, files: diffFiles(files, was, is) };
  }

  function diffFiles(files: readonly PairedFile[], was: FleetTexts, is: FleetTexts): readonly FileDiff[] {
    return diffTogether(files, { was, is, names });
  }
}

type FleetTexts = ReadonlyMap<string, string>;

/** Every file in the folders of the given files. */
function around(changed: readonly PairedFile[], files: FolderFiles): FleetTexts {
  const folders = new Set(changed.map((it) => folderOf(it.path)));
  return new Map([...folders].flatMap((it) => [...files.inFolder(it)]));
}

interface Sides {
  readonly was: FleetTexts;
  readonly is: FleetTexts;
  readonly names: Renames;
}

/** A file during the comparison: its lines, and the sides on which its objects are. */
interface OpenFile {
  readonly file: PairedFile;
  readonly old: readonly string[];
  readonly now: readonly string[];
  pairs: readonly Pairing[];
}

/** FleetTexts whose objects may move from one to another. */
function diffTogether(files: readonly PairedFile[], { was, is, names }: Sides): readonly FileDiff[] {
  const open = files.map((file): OpenFile => {
    const old = file.change === 'add' ? [] : linesOf(was.get(file.formerPath ?? file.path) ?? '');
    const now = file.change === 'remove' ? [] : linesOf(is.get(file.path) ?? '');
    return { file, old, now, pairs: pairObjects(file.path, old, now, (it) => renamedObject(it, names)) };
  });
  const moves = movesBetween(open);
  for (const it of open) {
    const stays = it.pairs.filter((pair) => !moves.has(pair));
    // A file that is only on one side is compared as one piece.
    if (it.file.change !== 'change' && stays.length === it.pairs.length) {
      it.pairs = [wholeFile(it.old.length, it.now.length)];
      continue;
    }
    it.pairs = [...pairByKind(stays), ...it.pairs.filter((pair) => moves.has(pair))].sort(byPlace);
  }
  const places = { were: changedPlaces(was.keys()), are: changedPlaces(is.keys()) };
  return open.map((it) => diffOf(it, moves, places));
}

/** Order of objects: that of the new file, followed by those that are only in the old one. */
const byPlace = (a: Pairing, b: Pairing): number =>
  a.now !== null && b.now !== null
    ? a.now.start - b.now.start
    : a.now === null && b.now === null
      ? (a.old?.start ?? 0) - (b.old?.start ?? 0)
      : a.now === null
        ? 1
        : -1;

/** The other half of an object that moved to another file, by either of its halves. */
type Moves = ReadonlyMap<Pairing, { readonly in: OpenFile; readonly half: Pairing }>;

/** Objects that were removed from one file and added to another. An object that exists twice is not followed. */
function movesBetween(open: readonly OpenFile[]): Moves {
  const gone = new Map<string, { in: OpenFile; half: Pairing } | null>();
  const come = new Map<string, { in: OpenFile; half: Pairing } | null>();
  for (const it of open) {
    for (const half of it.pairs) {
      if (half.object === '' || (half.old !== null && half.now !== null)) continue;
      const list = half.now === null ? gone : come;
      list.set(half.object, list.has(half.object) ? null : { in: it, half });
    }
  }
  const moves = new Map<Pairing, { in: OpenFile; half: Pairing }>();
  for (const [object, from] of gone) {
    const to = come.get(object);
    // A kustomization or an object of another folder is not a moved object.
    if (from === null || to === null || to === undefined || !object.includes(' ') || from.in === to.in) continue;
    moves.set(from.half, to);
    moves.set(to.half, from);
  }
  return moves;
}

interface BothPlaces {
  readonly were: Places;
  readonly are: Places;
}

function diffOf({ file, old, now, pairs }: OpenFile, moves: Moves, { were, are }: BothPlaces): FileDiff {
  const parts = pairs.map((pair): PartDiff => {
    const move = moves.get(pair);
    if (move !== undefined && pair.now === null) {
      return { object: pair.object, old: within(old, pair.old), now: null, otherFile: move.in.file.path, edits: [] };
    }
    const from = move === undefined ? within(old, pair.old) : within(move.in.old, move.half.old);
    const to = within(now, pair.now);
    const former = move === undefined ? file.formerPath : (move.in.file.formerPath ?? move.in.file.path);
    const edits = editsOf(from, to).map((edit) => ({
      ...edit,
      fold: foldOfEdit(edit, { path: file.path, formerPath: former, old: from?.of ?? [], now }, were, are),
    }));
    const otherFile = move === undefined ? null : (move.in.file.formerPath ?? move.in.file.path);
    return { object: pair.object, old: from, now: to, otherFile, edits };
  });
  const isOrderKept = !isReordered(pairs.filter((it) => !moves.has(it)));
  const isOnlyRenamed =
    file.formerPath !== null && isOrderKept && parts.every((it) => it.edits.length === 0 && it.otherFile === null);
  return {
    path: file.path,
    formerPath: file.formerPath,
    change: file.change,
    parts,
    isReordered: !isOrderKept,
    fold: foldOfFile(file.path) ?? (file.onlyLayout === true ? 'layout' : isOnlyRenamed ? 'renamed' : null),
  };
}

const within = (of: readonly string[], range: Pick<Lines, 'start' | 'end'> | null): Lines | null =>
  range === null ? null : { of, start: range.start, end: range.end };

const editsOf = (old: Lines | null, now: Lines | null): readonly Edit[] =>
  diffLines(old?.of ?? [], now?.of ?? [], {
    oldStart: old?.start ?? 0,
    oldEnd: old?.end ?? 0,
    newStart: now?.start ?? 0,
    newEnd: now?.end ?? 0,
  });

function lockDiff({ path, before, after }: DiffRequest['lock']): FileDiff {
  const [old, now] = [linesOf(before ?? ''), linesOf(after ?? '')];
  const [was, is] = [within(old, { start: 0, end: old.length }), within(now, { start: 0, end: now.length })];
  const fold: FoldReason = 'lock';
  return {
    path,
    formerPath: null,
    change: before === null ? 'add' : after === null ? 'remove' : 'change',
    parts: [
      { object: '', old: was, now: is, otherFile: null, edits: editsOf(was, is).map((it) => ({ ...it, fold: null })) },
    ],
    isReordered: false,
    fold,
  };
}
