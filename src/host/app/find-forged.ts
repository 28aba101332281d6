import { clusterFolderOf, OWN_PATHS } from '../../base/core/bundle-path.ts';
import type { FileTree, FolderFiles, TreeFile } from '../../base/core/folder-files.ts';
import { type FileContent, type Finding, findSuspects, judgeFile } from '../../proof/provenance/judge-files.ts';
import { blobId, type ObjectFormat } from '../disk/git-objects.ts';
import type { GitCommit } from '../disk/open-commit.ts';
import { clusterOfRecord, isRecord, recordFiles } from '../disk/tree/bundle-record.ts';
import type { FileReader } from './ports.ts';

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
export async function findForged(
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
