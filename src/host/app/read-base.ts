import { join, relative, resolve } from 'node:path';
import { isBundleFile, printBundlePath } from '../../base/core/bundle-path.ts';
import { type FolderFiles, folderFiles, inFolders } from '../../base/core/folder-files.ts';
import { UNKNOWN_KEY } from '../../base/core/unknown-key.ts';
import { andThen } from '../../base/diagnostics/outcome.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { parseTopology } from '../../fleet/topology/parse-topology.ts';
import { type PlanState, readPlanState, type TopologyFacts, topologyFacts } from '../../plan/plan-state.ts';
import { DiskError, GitError } from '../disk/disk-error.ts';
import { ownFileOf } from '../disk/tree/bundle-record.ts';
import { isInOwnFolder } from '../disk/tree/tree-path.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { TopologyFiles } from './find-topology.ts';
import type { FileReader, TextReader } from './ports.ts';
import { readSourcesIfThere, requireReadable, topologyText } from './read-sources.ts';
import { OperationRefused } from './refusal.ts';

interface BaseRequest {
  readonly base: Base;
  readonly out: string;
  /** The topology as it is now. */
  readonly topology: Pick<ReadyTopology, 'files' | 'sources' | 'compiled'>;
}

/**
 * The state before. Clusters apply files, so the files count; the topology of the base adds facts that no file contains, which
 * `readBaseFacts` finds. A base without files is the result of its topology.
 */
export async function readBase(files: FileReader, { base, out, topology }: BaseRequest): Promise<PlanState> {
  const { sources, compiled, files: paths } = topology;
  const reader = await openBase(files, base);
  const found = ownFiles(await reader.filesBelow(out, compiled.bundle), compiled.bundle);
  const lock = base.kind === 'out' ? sources.lock?.text : await lockText(reader, paths.lock);
  const state = readPlanState({ files: found, lock: lock ?? null, known: null });
  if (base.kind !== 'out' && (state === undefined || state.addresses === null)) {
    const then = compileThen(await sourcesThen(reader, paths));
    const compiledState = then && headState(then);
    if (compiledState !== undefined) return compiledState;
  }
  if (state !== undefined) return state;
  const path = join(out, printBundlePath({ part: 'addresses' }));
  throw new OperationRefused({ kind: 'no-base', path });
}

/** The state that a topology compiles to. */
export const headState = ({ bundle, lock, model }: Compiled): PlanState | undefined =>
  readPlanState({ files: bundle, lock, known: topologyFacts(model) });

async function lockText(reader: BaseReader, path: string): Promise<string | undefined> {
  const read = await reader.readText(path);
  return read.kind === 'ok' ? read.text : undefined;
}

interface Found {
  /** The files of the base. */
  readonly found: FolderFiles;
  /** Whether the topology as it is now compiles to exactly these. */
  readonly isCurrent: boolean;
}

/**
 * What the topology of a base says of its files: for `out/` that is the present one, or the last committed one. `null` where it
 * does not compile to exactly these files, and where it would say nothing else: only releases and keys that are not known count, so
 * a base with the present releases and without such keys need not be compiled.
 */
export async function readBaseFacts(
  files: FileReader,
  { base, topology }: BaseRequest,
  { found, isCurrent }: Found,
): Promise<TopologyFacts | null> {
  const { files: paths, sources: now, compiled } = topology;
  if (base.kind === 'out' && isCurrent) return topologyFacts(compiled.model);
  const reader = base.kind === 'out' ? await openLastCommit(files) : await openBase(files, base);
  const sources = reader && (await sourcesThen(reader, paths));
  if (sources === undefined) return null;
  const facts = topologyFacts(compiled.model);
  const isSame = topologyText(sources) === topologyText(now);
  if (!hasUnknownKeys(sources, facts) && (isSame || !hasOtherReleases(sources, facts))) return null;
  const then = compileThen(sources);
  return then !== undefined && areSame(then.bundle, found) ? topologyFacts(then.model) : null;
}

/** A base that did not know the same keys says so: a key that is known since then may be the one in use. */
const hasUnknownKeys = ({ keys }: Sources, { unknownKeys }: TopologyFacts): boolean =>
  unknownKeys.size > 0 || (keys?.text.includes(`: "${UNKNOWN_KEY}"`) ?? false);

/** Whether a cluster has, or may have, another release now. One that is gone may be any new one under its old name. */
function hasOtherReleases({ topology, included = [] }: Sources, now: TopologyFacts): boolean {
  const declared = andThen(parseTopology(topology, included), checkTopology);
  if (!declared.ok) return false;
  const then = new Map(declared.value.clusters.map((it) => [it.name, it.release.version]));
  if ([...then].some(([name, version]) => (now.releases.get(name) ?? version) !== version)) return true;
  const gone = [...then].flatMap(([name, version]) => (now.releases.has(name) ? [] : [version]));
  const come = [...now.releases].flatMap(([name, version]) => (then.has(name) ? [] : [version]));
  return gone.length > 0 && come.length > 0 && new Set([...gone, ...come]).size > 1;
}

/** The same files with the same texts, seen folder by folder and only up to the first difference. */
function areSame(a: FolderFiles, b: FolderFiles): boolean {
  const folders = new Set([...a.folders, ...b.folders]);
  return [...folders].every((folder) => {
    const [one, other] = [a.inFolder(folder), b.inFolder(folder)];
    return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
  });
}

/** What a plan is compared with. */
export type Base =
  | { readonly kind: 'out' }
  | { readonly kind: 'ref'; readonly ref: string }
  | { readonly kind: 'folder'; readonly folder: string };

/** Reads texts of the base, by path relative to the working folder. */
export interface BaseReader extends TextReader {
  /** @param like files of which most may be the same: a commit does not read these */
  readonly filesBelow: (path: string, like: FolderFiles) => Promise<FolderFiles>;
}

export async function openBase(files: FileReader, base: Base): Promise<BaseReader> {
  switch (base.kind) {
    case 'out':
      return folderReader(files, (path) => path);
    case 'folder':
      return folderReader(files, (path) => pathInBase(files, base.folder, path));
    case 'ref':
      return files.openCommit(base.ref);
  }
}

/** The last commit; `undefined` without a repository or a commit. */
export async function openLastCommit(files: FileReader): Promise<BaseReader | undefined> {
  try {
    return await files.openCommit('HEAD');
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The path of a file in a folder that has the same paths as the working folder. */
export const pathInBase = (files: FileReader, folder: string, path: string): string =>
  join(folder, pathFromHere(files, path));

function folderReader(files: FileReader, there: (path: string) => string): BaseReader {
  return {
    // The message must name the path in that folder.
    readText: async (path) => requireReadable(there(path), await files.readText(there(path))),
    readTexts: (paths) => files.readTexts(paths.map(there)),
    namesIn: (path) => files.namesIn(there(path)),
    linkBelow: (folder, path) => files.linkBelow(there(folder), there(path)),
    filesBelow: async (path) => {
      const read = await files.readFolder(there(path), (it) => isBundleFile(it) || isInOwnFolder(it));
      if (read.kind === 'not-a-folder') throw new DiskError('ENOTDIR', resolve(files.folder, there(path)));
      return read.kind === 'read' ? read.files : inFolders(new Map());
    },
  };
}

function pathFromHere({ folder }: FileReader, path: string): string {
  const below = relative(folder, resolve(folder, path));
  if (!below.startsWith('..')) return below;
  throw new OperationRefused({ kind: 'path-outside-folder', path, folder });
}

/** The topology of a base and the files beside it; `undefined` without a topology, and for one that is not text. */
async function sourcesThen(reader: BaseReader, files: TopologyFiles): Promise<Sources | undefined> {
  const sources = await readSourcesIfThere(reader, files);
  return sources?.ok ? sources.value : undefined;
}

/** `undefined` also for a topology that has errors: then the files alone are the base. */
function compileThen(sources: Sources | undefined): Compiled | undefined {
  const compiled = sources && compile(sources, { relock: [], only: null });
  return compiled?.ok ? compiled.value : undefined;
}

/** Files that weft wrote, according to its records, or will write. */
function ownFiles(found: FolderFiles, bundle: FolderFiles): FolderFiles {
  const isOurs = ownFileOf(found);
  const own = (folder: string): ReadonlyMap<string, string> => {
    const [files, wanted] = [found.inFolder(folder), bundle.inFolder(folder)];
    const isOwn = ([path, text]: readonly [string, string]): boolean =>
      isBundleFile(path) && (wanted.has(path) || isOurs(path, text));
    const all = [...files];
    // The same object tells whoever compares that there is nothing to compare.
    return all.every(isOwn) ? files : new Map(all.filter(isOwn));
  };
  const folders = found.folders.filter(isBundleFile);
  return folderFiles(new Map(folders.map((it) => [it, () => own(it)])));
}
