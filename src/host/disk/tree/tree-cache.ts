import { closeSync, fstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { OWN_FOLDER, printBundlePath } from '../../../base/core/bundle-path.ts';
import type { Version } from '../../../base/core/folder-files.ts';
import { cacheFile } from '../cache-file.ts';
import { errorCode } from '../disk-error.ts';
import { NOT_THROUGH_LINKS } from '../read-text-file.ts';
import { describedFolder } from './inspect-folder.ts';
import { hasStagedLockFile } from './staging.ts';
import { type Stamp, type Stamped, stampAt } from './stamps.ts';
import {
  entriesIn,
  hasHashRow,
  hashAt,
  hasStamp,
  type ImageEntry,
  imageBuilder,
  readImage,
  setStamp,
  type TreeImage,
} from './tree-image.ts';
import { foldersOverAll, parentOf, sha256, turns } from './tree-path.ts';
import { earlyProblems, type FolderContent, type TreeMemory } from './tree-request.ts';

/** A cache of the state of a tree in the user's cache folder: as in git's index, the stamps of files with their hashes. */
export interface TreeCache {
  /** For a run that compiles: a file that is as it was is not read. */
  readonly memory: TreeMemory;
  /**
   * The value that was kept with the tree under a key, if every file and folder of weft is as that run left it, so that compiling would
   * change nothing.
   *
   * @param lockFile the topology's lock
   */
  readonly recall: (key: string, lockFile: string) => Promise<unknown>;
  /** Keeps the tree for later runs, and with it any value if that run left everything as wanted. */
  readonly keep: (run: KeptRun | null) => void;
}

interface KeptRun {
  readonly key: string;
  readonly value: unknown;
}

interface CachePlace {
  readonly folder: string;
  readonly root: string;
  /** Differs between programs that may write something else. */
  readonly program: string;
}

export function openTreeCache({ folder, root, program }: CachePlace): TreeCache {
  const file = cacheFile({ folder, subject: realRoot(root), program });
  const before = readKept(file.read());
  const { memory, image, isSettled } = rememberTree(root, before?.image);
  return {
    memory,
    recall: async (key, lockFile) => {
      if (before === undefined || before.run?.key !== key) return undefined;
      const checked = await checkTree(root, before.image, lockFile).catch(changedIfUnreadable);
      if (checked === 'learned') file.write([runLine(before.run), before.image.bytes]);
      return checked === 'changed' ? undefined : before.run.value;
    },
    keep: (run) => {
      const parts = image();
      if (parts !== undefined) file.write([runLine(isSettled() ? run : null), ...parts]);
    },
  };
}

/** A run that compiles reports what cannot be read. */
function changedIfUnreadable(error: unknown): 'changed' {
  if (errorCode(error) === '') throw error;
  return 'changed';
}

/** A folder has one cache, whatever link leads to it. */
function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return resolve(root);
  }
}

const runLine = (run: KeptRun | null): Buffer => Buffer.from(`${JSON.stringify(run)}\n`);

function readKept(bytes: Buffer | undefined): { readonly run: KeptRun | null; readonly image: TreeImage } | undefined {
  const end = bytes?.indexOf('\n') ?? -1;
  if (bytes === undefined || end === -1) return undefined;
  const image = readImage(bytes.subarray(end + 1));
  return image && { run: JSON.parse(bytes.toString('utf8', 0, end)) as KeptRun | null, image };
}

interface Remembering {
  readonly memory: TreeMemory;
  /** The image of everything that the memory was asked about; `undefined` if that is no whole tree. */
  readonly image: () => readonly Buffer[] | undefined;
  /** True when the next run depends on nothing but the wanted files. */
  readonly isSettled: () => boolean;
}

/** A file or a record that was compared. */
interface ComparedFile {
  readonly hash: string;
  /** `undefined` if it differs, or may change without another stamp. */
  readonly stamp: Stamp | undefined;
}

/** A folder below root whose files are compared. */
interface OpenFolder {
  readonly paths: readonly string[];
  readonly hashes: readonly string[];
  /** The folders above these files, with stamps that were taken before the folders were listed. */
  readonly above: ReadonlyMap<string, Stamp | undefined>;
  /** The entries of an earlier run, by path. */
  readonly before: ReadonlyMap<string, ImageEntry>;
  readonly compared: Map<string, ComparedFile>;
}

const NOTHING_OPEN = { paths: [], hashes: [], above: new Map(), before: new Map() };

function rememberTree(root: string, before: TreeImage | undefined): Remembering {
  const builder = imageBuilder();
  const seen = new Set<string>();
  let open: OpenFolder = { ...NOTHING_OPEN, compared: new Map() };
  let [isWhole, isSettled] = [true, true];
  const close = (): void => {
    const { paths, hashes, above, compared } = open;
    for (const [path, stamp] of above) builder.add('folder', path, stamp);
    for (const [i, path] of paths.entries()) builder.add('file', path, compared.get(path)?.stamp, hashes[i]);
    for (const [path, { stamp, hash }] of compared)
      if (path.startsWith(`${OWN_FOLDER}/`)) builder.add('record', path, stamp, hash);
    open = { ...NOTHING_OPEN, compared: new Map() };
  };
  const start = (folder: string, version: Version | undefined): void => {
    close();
    if (seen.has(folder)) isWhole = false;
    seen.add(folder);
    builder.startGroup(folder, typeof version === 'string' ? version : '');
  };
  const belowRoot = (path: string): string | undefined =>
    path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
  const memory: TreeMemory = {
    settled: (path, versionOf) => {
      const folder = belowRoot(path) ?? '';
      const group = before?.groups.get(folder);
      if (before === undefined || group === undefined || stampAt(path) === undefined) return undefined;
      const version = versionOf();
      if (version === undefined || group.version !== version) return undefined;
      const entries = entriesIn(group);
      // Without its record, it is no folder of a cluster.
      if (!entries.some((it) => it.type === 'record')) return undefined;
      const stamps = entries.map((it) => sameStampAt(root, before, it));
      if (stamps.includes(undefined)) return undefined;
      start(folder, version);
      for (const [i, it] of entries.entries())
        builder.add(it.type, it.path, stamps[i], hasHashRow(it.type) ? hashAt(before, it.hash) : undefined);
      return rememberedContent(before, entries);
    },
    contentOf: (path, versionOf, read) => {
      const folder = belowRoot(path);
      if (folder === undefined) {
        isWhole = false;
        return read();
      }
      const isThere = stampAt(path) !== undefined;
      // A later run reads every file of a folder that is new now, whatever its version is. Root is there before any file in it is.
      const isWritten = isThere && (folder !== '' || stampAt(`${root}/${ADDRESSES}`) !== undefined);
      const version = isWritten ? versionOf() : undefined;
      start(folder, version);
      const group = before?.groups.get(folder);
      const entries = group === undefined ? [] : entriesIn(group);
      const isKnown = before !== undefined && version !== undefined && group?.version === version;
      const content = isKnown ? rememberedContent(before, entries) : read();
      const { paths, hashes } = content;
      if (paths.length === 0 && isThere) isSettled = false;
      if (paths.length === 0 && !isThere) builder.add('missing', folder);
      const above = new Map(
        [...foldersOverAll(paths)].map((it) => [it, isThere ? oldStampAt(`${root}/${it}`) : undefined]),
      );
      open = { paths, hashes, above, before: new Map(entries.map((it) => [it.path, it])), compared: new Map() };
      return content;
    },
    isEqual: (path, hash, compare) => {
      const below = belowRoot(path);
      if (below === undefined) return compare();
      const now = stampAt(path);
      const entry = open.before.get(below);
      const isAsBefore =
        before !== undefined && entry !== undefined && now !== undefined && isRemembered(before, entry, { hash, now });
      const isEqual = isAsBefore || compare();
      open.compared.set(below, { hash, stamp: isEqual && (isAsBefore || now?.isOld) ? now?.stamp : undefined });
      return isEqual;
    },
    entriesOf: (_, read) => read(),
    foreignAt: () => {
      isSettled = false;
      // It may become a file of weft while its folder stays the same.
      open = { ...open, above: new Map([...open.above.keys()].map((it) => [it, undefined])) };
    },
  };
  return {
    memory,
    image: () => {
      close();
      return isWhole ? builder.finish() : undefined;
    },
    isSettled: () => isSettled,
  };
}

function rememberedContent(image: TreeImage, entries: readonly ImageEntry[]): FolderContent {
  const files = entries.filter((it) => it.type === 'file');
  return describedFolder(
    files.map((it) => it.path),
    files.map((it) => hashAt(image, it.hash)),
  );
}

const ADDRESSES = printBundlePath({ part: 'addresses' });

const isRemembered = (
  image: TreeImage,
  entry: ImageEntry,
  { hash, now }: { readonly hash: string; readonly now: Stamped },
): boolean => hasStamp(image, entry.stamp, now.stamp) && hashAt(image, entry.hash) === hash;

/** The stamp of an entry that is as it was. */
function sameStampAt(root: string, image: TreeImage, { type, path, stamp }: ImageEntry): Stamp | undefined {
  const now = type === 'missing' ? undefined : stampAt(`${root}/${path}`)?.stamp;
  const isOfType = type === 'folder' ? now?.isDirectory() : now?.isFile();
  return now !== undefined && isOfType && hasStamp(image, stamp, now) ? now : undefined;
}

const oldStampAt = (path: string): Stamp | undefined => {
  const now = stampAt(path);
  return now?.isOld ? now.stamp : undefined;
};

/**
 * Compares a tree with its image: `changed` if a run might find something to do. An entry with another stamp is read, and the stamp
 * learned if it is as wanted.
 */
async function checkTree(root: string, image: TreeImage, lockFile: string): Promise<'same' | 'learned' | 'changed'> {
  const problems = earlyProblems({ root, files: new Map(), scope: null, lockFile: { path: lockFile, text: '' } });
  if (problems.length > 0 || hasStagedLockFile(lockFile)) return 'changed';
  const turn = turns();
  const records = new Set<string>();
  let learned = 0;
  for (const group of image.groups.values()) {
    const entries = entriesIn(group);
    for (const it of entries) {
      if (it.type === 'record') records.add(it.path.slice(OWN_FOLDER.length + 1));
      const found = checkEntry(root, { image, entries }, it);
      if (found === 'changed') return found;
      if (found === 'learned') learned++;
    }
    await turn(entries.length);
  }
  // Every other entry is left from a run that was killed, or from one that still runs, or changes what weft takes for its own.
  const own = readdirSync(`${root}/${OWN_FOLDER}`);
  if (own.length !== records.size || !own.every((it) => records.has(it))) return 'changed';
  return learned > 0 ? 'learned' : 'same';
}

interface CheckedGroup {
  readonly image: TreeImage;
  readonly entries: readonly ImageEntry[];
}

function checkEntry(root: string, { image, entries }: CheckedGroup, it: ImageEntry): 'same' | 'learned' | 'changed' {
  const path = `${root}/${it.path}`;
  const now = stampAt(path);
  if (it.type === 'missing') return now === undefined ? 'same' : 'changed';
  if (now === undefined || !(it.type === 'folder' ? now.stamp.isDirectory() : now.stamp.isFile())) return 'changed';
  if (hasStamp(image, it.stamp, now.stamp)) return 'same';
  const isAsWanted = it.type === 'folder' ? hasOnly(path, it.path, entries) : hasHash(path, hashAt(image, it.hash));
  if (!isAsWanted) return 'changed';
  if (!now.isOld) return 'same';
  setStamp(image, it.stamp, now.stamp);
  return 'learned';
}

/** True when a folder has no other entries than wanted files and folders above them. */
function hasOnly(path: string, folder: string, entries: readonly ImageEntry[]): boolean {
  const wanted = new Set(
    entries.filter((it) => parentOf(it.path) === folder).map((it) => it.path.slice(folder.length + 1)),
  );
  return readdirSync(path).every((it) => wanted.has(it));
}

function hasHash(path: string, hash: string): boolean {
  const file = openSync(path, NOT_THROUGH_LINKS);
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= LARGEST_GENERATED_BYTES && sha256(readFileSync(file)) === hash;
  } finally {
    closeSync(file);
  }
}

/** More than any file of a bundle has. */
const LARGEST_GENERATED_BYTES = 256 * 1024 * 1024;
