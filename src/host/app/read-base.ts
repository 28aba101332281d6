import { join, relative, resolve } from 'node:path';
import { isBundleFile, printBundlePath } from '../../base/core/bundle-path.ts';
import { sortedUnique } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import { type FolderFiles, folderFiles, inFolders } from '../../base/core/folder-files.ts';
import { UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { andThen } from '../../base/diagnostics/outcome.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { parseTopology } from '../../fleet/topology/parse-topology.ts';
import { type PlanState, readPlanState, type TopologyFacts, topologyFacts } from '../../plan/plan-state.ts';
import { DiskError, GitError } from '../disk/disk-error.ts';
import type { GitCommit } from '../disk/open-commit.ts';
import { ownFileOf } from '../disk/tree/bundle-record.ts';
import { isInOwnFolder } from '../disk/tree/tree-path.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { filesOf, type TopologyFiles, topologiesBeside } from './find-topology.ts';
import type { FileReader, TextReader } from './ports.ts';
import { OperationRefused } from './refusal.ts';
import { fleetNameAt, readSourcesIfThere, requireReadable, topologyText } from './topology-files.ts';

interface BaseRequest {
  readonly base: Base;
  readonly out: string;
  /** The present topology. */
  readonly topology: Pick<ReadyTopology, 'files' | 'sources' | 'compiled'>;
}

/**
 * The state before a change. Clusters apply files, so the files of the base are used; `readBaseFacts` adds facts of its
 * topology that no file contains. For a base without files, its topology is compiled.
 */
export async function readBase(files: FileReader, { base, out, topology }: BaseRequest): Promise<PlanState> {
  const { sources, compiled } = topology;
  const reader = await openBase(files, base);
  const paths = await filesInBase(files, reader, topology);
  const found = ownFiles(await reader.filesBelow(out, compiled.bundle), compiled.bundle);
  const lock = base.kind === 'out' ? sources.lock?.text : await lockText(reader, paths.lock);
  const state = readPlanState({ files: found, lock: lock ?? null, known: null });
  if (base.kind !== 'out' && (state === undefined || state.addresses === null)) {
    const baseline = compileBaseline(await baselineSources(reader, paths));
    const compiledState = baseline && headState(baseline);
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

interface FoundBase {
  /** The files of the base. */
  readonly found: FolderFiles;
  /** True when the present topology compiles to exactly these files. */
  readonly isCurrent: boolean;
}

/**
 * The facts that the topology of a base adds to its files; for `out/` that is the present topology, or the last
 * committed one. `null` when it does not compile to exactly these files. Also `null` when it adds nothing: only
 * releases and unknown keys are such facts, so a base with the present releases and no unknown keys is not compiled.
 */
export async function readBaseFacts(
  files: FileReader,
  { base, topology }: BaseRequest,
  { found, isCurrent }: FoundBase,
): Promise<TopologyFacts | null> {
  const { sources: now, compiled } = topology;
  if (base.kind === 'out' && isCurrent) return topologyFacts(compiled.model);
  const reader = base.kind === 'out' ? await openLastCommit(files) : await openBase(files, base);
  const sources = reader && (await baselineSources(reader, await filesInBase(files, reader, topology)));
  if (sources === undefined) return null;
  const facts = topologyFacts(compiled.model);
  const isUnchanged = topologyText(sources) === topologyText(now);
  if (!hasUnknownKeys(sources, facts) && (isUnchanged || !hasOtherReleases(sources, facts))) return null;
  const baseline = compileBaseline(sources);
  return baseline !== undefined && haveSameFiles(baseline.bundle, found) ? topologyFacts(baseline.model) : null;
}

/** True when keys are unknown now or in the base: a key that became known meanwhile may be the one in use. */
const hasUnknownKeys = ({ keys }: Sources, { unknownKeys }: TopologyFacts): boolean =>
  unknownKeys.size > 0 || (keys?.text.includes(`: "${UNKNOWN_KEY}"`) ?? false);

/** True when a cluster has, or may have, another release now. A removed cluster may be any new one that was renamed. */
function hasOtherReleases({ topology, included = [] }: Sources, now: TopologyFacts): boolean {
  const declared = andThen(parseTopology(topology, included), checkTopology);
  if (!declared.ok) return false;
  const before = new Map(declared.value.clusters.map((it) => [it.name, it.release.version]));
  if ([...before].some(([name, version]) => (now.releases.get(name) ?? version) !== version)) return true;
  const gone = [...before].flatMap(([name, version]) => (now.releases.has(name) ? [] : [version]));
  const come = [...now.releases].flatMap(([name, version]) => (before.has(name) ? [] : [version]));
  return gone.length > 0 && come.length > 0 && new Set([...gone, ...come]).size > 1;
}

/**
 * The files below `out/` that the base has otherwise than its own topology compiles to, sorted; none in a base without
 * bundles, or whose topology does not compile.
 */
export async function pendingInBase(
  files: FileReader,
  reader: BaseReader,
  { out, topology }: Omit<BaseRequest, 'base'>,
): Promise<readonly string[]> {
  const sources = await baselineSources(reader, await filesInBase(files, reader, topology));
  const isPresent = sources !== undefined && isEqualSources(sources, topology.sources);
  const bundle = isPresent ? topology.compiled.bundle : compileBaseline(sources)?.bundle;
  if (bundle === undefined) return [];
  const found = ownFiles(await reader.filesBelow(out, bundle), bundle);
  let hasBundles = false;
  const pending = sortedUnique([...found.folders, ...bundle.folders]).flatMap((folder) => {
    const [there, wanted] = [found.inFolder(folder), bundle.inFolder(folder)];
    hasBundles ||= there.size > 0;
    if (there === wanted) return [];
    return sortedUnique([...there.keys(), ...wanted.keys()]).filter((path) => {
      const [text, other] = [there.get(path), wanted.get(path)];
      return text !== other && (text === undefined || other === undefined || withLf(text) !== other);
    });
  });
  return hasBundles ? pending : [];
}

/** Manifests name the file of their topology, too. */
const isEqualSources = (a: Sources, b: Sources): boolean =>
  a.topology.path === b.topology.path &&
  topologyText(a) === topologyText(b) &&
  (['keys', 'identities', 'lock'] as const).every((it) => a[it]?.text === b[it]?.text);

/** True when both have the same files and texts. Compares folder by folder up to the first difference. */
function haveSameFiles(a: FolderFiles, b: FolderFiles): boolean {
  const folders = new Set([...a.folders, ...b.folders]);
  return [...folders].every((folder) => {
    const [one, other] = [a.inFolder(folder), b.inFolder(folder)];
    return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
  });
}

/** The side that a plan compares with the present state. */
export type Base =
  | { readonly kind: 'out' }
  /** No bundles, as before the first compile. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'ref'; readonly ref: string }
  | { readonly kind: 'folder'; readonly folder: string };

/** Reads texts of the base; paths are relative to the working folder. */
export interface BaseReader extends TextReader {
  /** @param like files that are probably equal: a commit does not read those that are */
  readonly filesBelow: (path: string, like: FolderFiles) => Promise<FolderFiles>;
}

const EMPTY: BaseReader = {
  readText: async () => ({ kind: 'missing' }),
  readTexts: async (paths) => paths.map(() => ({ kind: 'missing' })),
  namesIn: async () => undefined,
  linkBelow: async () => undefined,
  filesBelow: async () => inFolders(new Map()),
};

export async function openBase(files: FileReader, base: Base): Promise<BaseReader> {
  switch (base.kind) {
    case 'out':
      return folderReader(files, (path) => path);
    case 'nothing':
      return EMPTY;
    case 'folder':
      if ((await files.namesIn(base.folder)) === undefined)
        throw new OperationRefused({ kind: 'no-base-folder', folder: base.folder });
      return folderReader(files, (path) => pathInBase(files, base.folder, path));
    case 'ref':
      return files.openCommit(base.ref);
  }
}

/** Opens the last commit; `undefined` without a repository or a commit. */
export async function openLastCommit(files: Pick<FileReader, 'openCommit'>): Promise<GitCommit | undefined> {
  try {
    return await files.openCommit('HEAD');
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The path of a file in a folder that has the same structure as the working folder. */
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

/**
 * The files of a topology in a base, where they may have other names: those of the one topology of the same fleet that
 * is gone now.
 */
export async function filesInBase(
  files: FileReader,
  reader: TextReader,
  { files: now, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
): Promise<TopologyFiles> {
  if ((await reader.readText(now.topology)).kind !== 'missing') return now;
  const { name, renamedFrom } = compiled.inputs.declaration;
  const former: string[] = [];
  for (const path of await topologiesBeside(reader, now.topology)) {
    if ((await files.readText(path)).kind !== 'missing') continue;
    const fleet = await fleetNameAt(reader, path);
    if (fleet !== undefined && [name.value, renamedFrom].includes(fleet)) former.push(path);
  }
  const [path, ...others] = former;
  if (path === undefined || others.length > 0) return now;
  const isOwnLock = now.lock !== filesOf(now.topology, undefined, false).lock;
  return filesOf(path, isOwnLock ? now.lock : undefined, now.byDefault);
}

/** The topology of a base and the files beside it; `undefined` when it is missing or not text. */
export async function baselineSources(reader: BaseReader, files: TopologyFiles): Promise<Sources | undefined> {
  const sources = await readSourcesIfThere(reader, files);
  return sources?.ok ? sources.value : undefined;
}

/** Compiles the baseline; `undefined` when the topology has errors: then only the files of the base are used. */
function compileBaseline(sources: Sources | undefined): Compiled | undefined {
  const compiled = sources && compile(sources, { relock: [], only: null, withoutAssertions: true });
  return compiled?.ok ? compiled.value : undefined;
}

/** The files that weft wrote according to its records, or is going to write. */
function ownFiles(found: FolderFiles, bundle: FolderFiles): FolderFiles {
  const isOurs = ownFileOf(found);
  const own = (folder: string): ReadonlyMap<string, string> => {
    const [files, wanted] = [found.inFolder(folder), bundle.inFolder(folder)];
    const isOwn = ([path, text]: readonly [string, string]): boolean =>
      isBundleFile(path) && (wanted.has(path) || isOurs(path, text));
    const all = [...files];
    // Returning the identical object lets later comparisons skip this folder.
    return all.every(isOwn) ? files : new Map(all.filter(isOwn));
  };
  const folders = found.folders.filter(isBundleFile);
  return folderFiles(new Map(folders.map((it) => [it, () => own(it)])));
}
