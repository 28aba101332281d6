import { basename, dirname, join } from 'node:path';
import { removalDiagnostics } from '../../answers/report/plan/plan-diagnostics.ts';
import { clusterFolderOf, OWN_PATHS, printBundlePath } from '../../base/core/bundle-path.ts';
import { sortedUnique } from '../../base/core/collections.ts';
import type { FileTree, FolderFiles, TreeFile } from '../../base/core/folder-files.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Outcome } from '../../base/diagnostics/outcome.ts';
import type { Source } from '../../base/source/source.ts';
import { type Compiled, compile } from '../../compile.ts';
import type { Share } from '../../fleet/sharing/shared-model.ts';
import { parseIdentities, parseKeys } from '../../fleet/topology/parse-recorded.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { fileDiagnostics, isKustomizationFile } from '../../proof/provenance/file-diagnostics.ts';
import { judgeAround } from '../../proof/provenance/judge-around.ts';
import {
  type FileContent,
  type Finding,
  findSuspects,
  judgeFile,
  judgeLinks,
} from '../../proof/provenance/judge-files.ts';
import { judgeAuthentication, judgeIdentities, judgeKeys } from '../../proof/provenance/judge-keys-and-answers.ts';
import { judgeLock } from '../../proof/provenance/judge-lock.ts';
import { judgePending } from '../../proof/provenance/judge-pending.ts';
import { blobId, type ObjectFormat } from '../disk/git-objects.ts';
import type { GitCommit } from '../disk/open-commit.ts';
import { clusterOfRecord, isRecord, recordFiles } from '../disk/tree/bundle-record.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { type TopologyFiles, topologiesBeside } from './find-topology.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';
import type { FileReader } from './ports.ts';
import {
  type Base,
  type BaseReader,
  filesInBase,
  openBase,
  openLastCommit,
  pathInBase,
  pendingInBase,
} from './read-base.ts';
import { OperationRefused } from './refusal.ts';
import { fleetNameAt } from './topology-files.ts';
import { rootOf } from './verify-fleet.ts';

interface CheckedPullRequest {
  /** All errors, warnings and notes. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those of the diagnostics about files that neither the topology nor the base explains. */
  readonly smuggled: readonly Diagnostic[];
}

/**
 * Checks a planned pull request. Differences that an edit of the topology explains are not reported.
 *
 * @param pullHead the newest commit of the pull request, if the event of the run names it
 */
export async function checkPullRequest(
  files: FileReader,
  planned: PlannedPullRequest,
  pullHead: string | undefined,
): Promise<CheckedPullRequest> {
  const { topology, tree, removals, broken } = planned;
  const smuggled = await checkProvenance(files, { ...planned, pullHead });
  // A smuggled file that blocks the bundles is already reported with its place.
  if (tree.kind === 'refused' && !smuggled.some((it) => it.severity === 'error'))
    throw new OperationRefused({ kind: 'bundles-blocked', problems: tree.problems });
  const removed = removalDiagnostics(removals, topology.compiled.model.fleet.at);
  return { diagnostics: [...smuggled, ...topology.diagnostics, ...removed, ...broken], smuggled };
}

interface ProvenanceRequest {
  readonly topology: ReadyTopology;
  /** The folder of the bundles. */
  readonly out: string;
  /** The base of the pull request. */
  readonly base: Base;
  readonly plan: Plan;
  readonly tree: PlannedPullRequest['tree'];
  /** The newest commit of the pull request, if it is known. */
  readonly pullHead: string | undefined;
}

/**
 * Finds content that was smuggled into a pull request: every file below `out/` that neither the topology compiles to
 * nor the base contains, listed in a record or not; and lines of the lock and keys that the plan does not show. Both
 * the commit and the working folder are checked, because filters of git may make them differ.
 */
async function checkProvenance(files: FileReader, request: ProvenanceRequest): Promise<readonly Diagnostic[]> {
  const { base, topology, out } = request;
  if (base.kind === 'out' || base.kind === 'nothing') throw new OperationRefused({ kind: 'no-base-commit' });
  const head = base.kind === 'ref' ? await files.openCommit('HEAD') : await openLastCommit(files);
  const bases = await openBases(files, base, head);
  if (base.kind === 'ref' && isInPullRequest(bases[0]?.id, { ref: base.ref, head, pullHead: request.pullHead }))
    throw new OperationRefused({ kind: 'base-in-pull-request', ref: base.ref });
  const format = head?.objectFormat ?? 'sha1';
  const words = { ...topology.compiled, root: rootOf(out), topology: topology.files.topology };
  const trees = await Promise.all(bases.map((it) => it.treeBelow(out)));
  const found = await findForged(files, { out, head, bases: trees, format, bundle: topology.compiled.bundle });
  const readers = await Promise.all(
    bases.map(async ({ reader }) => ({ reader, paths: await filesInBase(files, reader, topology) })),
  );
  return [
    ...fileDiagnostics(found, words),
    ...(await pendingDiagnostics(files, { head, bases, request, forged: new Set(found.map((it) => it.path)) })),
    ...(await aroundDiagnostics(files, { head, bases, request })),
    ...judgeLinks((await head?.linksAt(pathsRead(topology))) ?? []),
    ...(await lockDiagnostics(readers, request)),
    ...(await keyDiagnostics(readers, request)),
    ...(await identityDiagnostics(readers, request)),
  ];
}

interface NamedBase {
  readonly ref: string;
  readonly head: GitCommit | undefined;
  /** The newest commit of the pull request, if it is known. */
  readonly pullHead: string | undefined;
}

/**
 * True when the base is a commit of the pull request instead of the base branch: its newest commit, or a parent of it.
 * Before the newest commit of a pull request come its other commits; only before its merge commit comes the base branch.
 */
const isInPullRequest = (base: string | undefined, { ref, head, pullHead }: NamedBase): boolean =>
  pullHead !== undefined && (base === pullHead || (head?.id === pullHead && /^(HEAD|@)([~^]|$)/.test(ref)));

interface OpenedBase {
  /** The commit, unless the base is a folder. */
  readonly id?: string;
  readonly reader: BaseReader;
  readonly treeBelow: (path: string) => Promise<FileTree>;
}

/**
 * Opens the base and the merge base. A file that the pull request has not touched since the merge base is replaced by
 * that of the base when it is merged. With several merge bases the merge may take either side, so only the base itself
 * is used.
 */
async function openBases(
  files: FileReader,
  base: Exclude<Base, { kind: 'out' | 'nothing' }>,
  head: GitCommit | undefined,
): Promise<readonly OpenedBase[]> {
  if (base.kind === 'folder') {
    const treeBelow = (path: string): Promise<FileTree> =>
      files.treeBelow(pathInBase(files, base.folder, path), head?.objectFormat ?? 'sha1');
    return [{ reader: await openBase(files, base), treeBelow }];
  }
  const tip = await files.openCommit(base.ref);
  const [fork, ...more] = (await head?.mergeBasesWith(tip.id)) ?? [];
  const commits =
    fork === undefined || fork === tip.id || more.length > 0 ? [tip] : [tip, await files.openCommit(fork)];
  return commits.map((it) => ({ id: it.id, reader: it, treeBelow: it.treeBelow }));
}

interface BaseFiles {
  readonly reader: BaseReader;
  /** The topology may have another name in the base. */
  readonly paths: TopologyFiles;
}

interface ComparedCommits {
  readonly head: GitCommit | undefined;
  readonly bases: readonly OpenedBase[];
  readonly request: ProvenanceRequest;
}

/** Judges which files of the compiled bundles the pull request contains, and which stay as in the base. */
async function pendingDiagnostics(
  files: FileReader,
  {
    head,
    bases,
    request: { topology, tree, plan, out },
    forged,
  }: ComparedCommits & { readonly forged: ReadonlySet<string> },
): Promise<readonly Diagnostic[]> {
  const [base] = bases;
  if (tree.kind === 'refused' || base === undefined) return [];
  const [now, before] = await Promise.all([
    head?.treeBelow(out) ?? files.treeBelow(out, 'sha1'),
    (bases.at(-1) ?? base).treeBelow(out),
  ]);
  return judgePending({
    ...{ root: rootOf(out), topology: topology.files.topology, forged },
    pending: await pendingInBase(files, base.reader, { out, topology }),
    due: plan.files.map((it) => it.path),
    missing: new Set([...tree.placements.map((it) => it.path), ...tree.removals]),
    isChanged: (path) => now.files.get(path)?.id !== before.files.get(path)?.id,
  });
}

/** Files that decide how git and other tools read the files of weft. Source: git, Documentation/gitignore. */
const RULES_OF_GIT = /(^|\/)\.git(ignore|attributes)$/;

/** Finds changes outside of the bundles that act on them. A base that is a folder has no such changes. */
async function aroundDiagnostics(
  files: FileReader,
  { head, bases, request: { topology, out } }: ComparedCommits,
): Promise<readonly Diagnostic[]> {
  const since = bases.at(-1)?.id;
  if (head === undefined || since === undefined) return [];
  const changes = await head.changesSince(since);
  const changed = [...changes].flatMap(([path, status]) => (status === 'D' ? [] : [path]));
  const texts = changed.map(
    async (path) => [path, isKustomizationFile(path) ? await textIn(head, path) : null] as const,
  );
  const { files: paths, sources } = topology;
  const written = [paths.lock, paths.identities];
  const read = [paths.topology, paths.keys, ...written, ...(sources.included ?? []).map((it) => it.path)];
  const bundles = async (): Promise<readonly string[]> => [
    ...[...(await head.treeBelow(out)).files.keys()].map((it) => join(out, it)),
    ...[...topology.compiled.model.clusters.keys()].map((cluster) =>
      join(out, printBundlePath({ part: 'kustomization', cluster })),
    ),
  ];
  return judgeAround({
    ...{ out, read, written, changed: new Map(await Promise.all(texts)) },
    removed: [...changes.keys()].filter((it) => changes.get(it) === 'D'),
    rules: [...changes.keys()].some((it) => RULES_OF_GIT.test(it))
      ? await files.gitRules(sortedUnique([...read, ...(await bundles())]))
      : [],
    fleets: await foldersOfFleets(files, topology, { out, base: bases[0] }),
    left: await otherBundles(head, topology, { out, bases }),
  });
}

interface Folders {
  readonly out: string;
  readonly base: OpenedBase | undefined;
}

/**
 * The folders of all fleets beside that of this one; `null` without several topologies, and where the base has other
 * files beside them, except for the bundles of the only fleet that it had.
 */
async function foldersOfFleets(
  files: FileReader,
  { files: { topology }, compiled }: ReadyTopology,
  { out, base }: Folders,
): Promise<readonly string[] | null> {
  if (basename(out) !== compiled.model.fleet.name || dirname(out) === '.') return null;
  // Beside a topology may be other YAML files.
  const found = await Promise.all((await topologiesBeside(files, topology)).map((it) => fleetNameAt(files, it)));
  const names = found.filter((it) => it !== undefined);
  if (names.length < 2) return null;
  const before = [...((await base?.treeBelow(dirname(out)))?.files.keys() ?? [])];
  const isOfOneFleet = before.includes(ADDRESSES);
  if (!isOfOneFleet && before.some((path) => !names.some((it) => path.startsWith(`${it}/`)))) return null;
  return names.map((it) => join(dirname(out), it));
}

/** Other folders of the pull request with bundles of this fleet, if the base has none in the present folder. */
async function otherBundles(
  head: GitCommit,
  { compiled }: ReadyTopology,
  { out, bases }: { readonly out: string; readonly bases: readonly OpenedBase[] },
): Promise<readonly string[]> {
  const trees = await Promise.all(bases.map((it) => it.treeBelow(out)));
  if (trees.some((it) => it.files.size > 0)) return [];
  const paths = [...(await head.treeBelow('.')).files.keys()];
  const folders = paths.flatMap((it) => (basename(it) === ADDRESSES && dirname(it) !== out ? [dirname(it)] : []));
  const found = folders.filter((it) => paths.some((path) => path.startsWith(`${it}/.weft/`)));
  const texts = await Promise.all(found.map((it) => textIn(head, join(it, ADDRESSES))));
  const { name } = compiled.model.fleet;
  return found.filter((_, i) => texts[i]?.includes(`"topology": ${JSON.stringify(name)}`));
}

const ADDRESSES = printBundlePath({ part: 'addresses' });

async function lockDiagnostics(
  bases: readonly BaseFiles[],
  { topology, plan }: ProvenanceRequest,
): Promise<readonly Diagnostic[]> {
  const { sources, compiled, files } = topology;
  const locks = await Promise.all(bases.map(({ reader, paths }) => textIn(reader, paths.lock)));
  const [base = null] = locks;
  const head = sources.lock?.text ?? null;
  const lock = base === null ? undefined : { path: files.lock, text: base };
  const kept =
    head === base
      ? compiled
      : compiledIn(compile({ ...sources, lock }, { relock: [], only: [], withoutAssertions: true }));
  return judgeLock({
    path: files.lock,
    head,
    bases: locks,
    kept: kept?.lock ?? null,
    decided: compiled.lock,
    changes: plan.changes,
  });
}

const compiledIn = (result: ReturnType<typeof compile>): Compiled | undefined => (result.ok ? result.value : undefined);

async function keyDiagnostics(
  bases: readonly BaseFiles[],
  { topology }: ProvenanceRequest,
): Promise<readonly Diagnostic[]> {
  const { compiled } = topology;
  const keys = { head: compiled.inputs.keys, base: await parsedIn(bases, 'keys', parseKeys) };
  const { clusters, sharing } = compiled.model;
  const isLinked = (cluster: string, peer: string) => clusters.get(cluster)?.peers.has(peer) === true;
  const slicesOf = (cluster: string) => slicesIn(sharing.get(cluster)?.borrows ?? []);
  return [...judgeKeys({ ...keys, isLinked }), ...judgeAuthentication({ ...keys, slicesOf })];
}

async function identityDiagnostics(
  bases: readonly BaseFiles[],
  { topology }: ProvenanceRequest,
): Promise<readonly Diagnostic[]> {
  const { compiled } = topology;
  const loans = new Set(
    compiled.model.shares.flatMap((it) => (it.auth === 'handshake' ? [`${it.consumer.name}/${it.provider.name}`] : [])),
  );
  return judgeIdentities({
    head: compiled.inputs.identities,
    base: await parsedIn(bases, 'identities', parseIdentities),
    isLoan: (consumer, provider) => loans.has(`${consumer}/${provider}`),
  });
}

const slicesIn = (borrows: readonly Share[]): ReadonlySet<string> | undefined =>
  borrows.length === 0 ? undefined : new Set(borrows.flatMap((it) => it.slices.map((slice) => slice.name)));

/** A parsed file of the base; `undefined` when it is missing or has errors. */
async function parsedIn<T>(
  [base]: readonly BaseFiles[],
  file: 'keys' | 'identities',
  parse: (source: Source) => Outcome<T>,
): Promise<T | undefined> {
  if (base === undefined) return undefined;
  const path = base.paths[file];
  const text = await textIn(base.reader, path);
  const parsed = text === null ? undefined : parse({ path, text });
  return parsed?.ok ? parsed.value : undefined;
}

async function textIn({ readText }: BaseReader, path: string): Promise<string | null> {
  const read = await readText(path);
  return read.kind === 'ok' ? read.text : null;
}

/** The paths of everything that a topology is compiled from, and of the folders above. */
const pathsRead = ({ files, sources }: ReadyTopology): readonly string[] =>
  sortedUnique(
    [
      ...[files.topology, files.lock, files.keys, files.identities],
      ...(sources.included ?? []).map((it) => it.path),
    ].flatMap(withFoldersAbove),
  );

const withFoldersAbove = (path: string): readonly string[] =>
  /^(\.|\/|\.\.)$/.test(path) ? [] : [...withFoldersAbove(dirname(path)), path];

interface Search {
  readonly out: string;
  readonly head: GitCommit | undefined;
  /** The folder of the bundles in each commit from which a file may legitimately come. */
  readonly bases: readonly FileTree[];
  readonly format: ObjectFormat;
  /** The compiled bundle; only folders with files that no base contains are printed. */
  readonly bundle: FolderFiles;
}

/**
 * Finds the files below `out/` that are neither compiled nor in a base, ordered by path. Files of the commit are
 * reported first, then files that are only in the working folder.
 */
async function findForged(
  files: FileReader,
  { out, head, bases, format, bundle }: Search,
): Promise<readonly Finding[]> {
  const around = { bases, wanted: compiledTree(bundle, format) };
  const committed = await head?.treeBelow(out);
  const folder = withoutModes(withoutRuntime(await files.treeBelow(out, format), committed));
  const found = committed === undefined ? [] : await judgeTree(committed, around);
  const known = new Set(found.map((it) => it.path));
  const plain = { ...around, bases: bases.map(withoutModes) };
  const uncommitted = (await judgeTree(folder, plain)).filter((it) => !known.has(it.path));
  return [...found, ...uncommitted];
}

/** The compiled content at a path, or `undefined`. */
type WantedTree = (path: string) => FileContent | undefined;

interface ForgeryContext {
  readonly bases: readonly FileTree[];
  readonly wanted: WantedTree;
}

async function judgeTree(head: FileTree, { bases, wanted }: ForgeryContext): Promise<readonly Finding[]> {
  const paths = findSuspects({ head: head.files, bases: bases.map((it) => it.files), wanted });
  if (paths.length === 0) return [];
  const inHead = await contents(head, paths);
  const inBases = await Promise.all(bases.map((it) => contents(it, paths)));
  return paths.flatMap((path) => {
    const inWanted = wanted(path);
    const suspect = { path, head: inHead(path), bases: inBases.map((it) => it(path)), wanted: inWanted };
    return judgeFile({ ...suspect, isRecord: inWanted !== undefined && isRecord(path) }) ?? [];
  });
}

async function contents(tree: FileTree, paths: readonly string[]): Promise<(path: string) => FileContent | undefined> {
  const texts = await tree.textsOf(paths);
  return (path) => {
    const file = tree.files.get(path);
    return file && { ...file, text: texts.get(path) ?? null };
  };
}

function compiledTree(bundle: FolderFiles, format: ObjectFormat): WantedTree {
  const textAt = wantedFile(bundle);
  return (path) => {
    const text = textAt(path);
    return text === undefined ? undefined : { kind: 'file', id: blobId(text, format), text };
  };
}

/** A tree without executable bits, which a working folder need not keep. */
const withoutModes = ({ files, textsOf }: FileTree): FileTree => ({
  textsOf,
  files: new Map(
    [...files].map(([path, it]): [string, TreeFile] => [path, it.kind === 'executable' ? { ...it, kind: 'file' } : it]),
  ),
});

/** A folder without the content of submodules and without files of a running or killed weft, which no commit has. */
function withoutRuntime(folder: FileTree, committed: FileTree | undefined): FileTree {
  const { journal, processLock, staging } = OWN_PATHS;
  const modules = [...(committed?.files ?? [])].flatMap(([path, it]) => (it.kind === 'submodule' ? [`${path}/`] : []));
  const isRuntime = (path: string): boolean =>
    !committed?.files.has(path) &&
    ([journal, processLock].some((it) => it === path) || [`${staging}/`, ...modules].some((it) => path.startsWith(it)));
  return { ...folder, files: new Map([...folder.files].filter(([path]) => !isRuntime(path))) };
}

/**
 * The text that `weft compile` writes at a path below `out/`, records included; `undefined` where it writes nothing.
 * Only the folder of that file is printed.
 */
function wantedFile(bundle: FolderFiles): (path: string) => string | undefined {
  const fleetFolders = bundle.folders.filter((it) => clusterFolderOf(`${it}/`) === undefined);
  return (path) => {
    if (!isRecord(path)) return bundle.get(path);
    const cluster = clusterOfRecord(path);
    const folders = cluster === undefined ? fleetFolders : [cluster];
    return recordFiles(new Map(folders.flatMap((it) => [...bundle.inFolder(it)]))).get(path);
  };
}
