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
  /** The folder of the bundles in each commit that it may come from. */
  readonly bases: readonly FileTree[];
  readonly format: ObjectFormat;
  /** What the topology compiles to: only folders with files that are in no base are printed. */
  readonly bundle: FolderFiles;
}

/**
 * The files below `out/` that are neither wanted nor in a base. By path; what the commit has is reported first, and then what only the
 * working folder has.
 */
export async function findForged(
  files: FileReader,
  { out, head, bases, format, bundle }: Search,
): Promise<readonly Finding[]> {
  const around = { bases, wanted: wantedTree(bundle, format) };
  const committed = await head?.treeBelow(out);
  const folder = withoutModes(withoutRuntime(await files.treeBelow(out, format), committed));
  const found = committed === undefined ? [] : await judgeTree(committed, around);
  const known = new Set(found.map((it) => it.path));
  const plain = { ...around, bases: bases.map(withoutModes) };
  const uncommitted = (await judgeTree(folder, plain)).filter((it) => !known.has(it.path));
  return [...found, ...uncommitted];
}

/** What is written at a path, with its text. */
type WantedTree = (path: string) => FileContent | undefined;

interface Around {
  readonly bases: readonly FileTree[];
  readonly wanted: WantedTree;
}

async function judgeTree(head: FileTree, { bases, wanted }: Around): Promise<readonly Finding[]> {
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

function wantedTree(bundle: FolderFiles, format: ObjectFormat): WantedTree {
  const textAt = wantedFile(bundle);
  return (path) => {
    const text = textAt(path);
    return text === undefined ? undefined : { kind: 'file', id: blobId(text, format), text };
  };
}

/** A working folder need not keep the permission to run a file. */
const withoutModes = ({ files, textsOf }: FileTree): FileTree => ({
  textsOf,
  files: new Map(
    [...files].map(([path, it]): [string, TreeFile] => [path, it.kind === 'executable' ? { ...it, kind: 'file' } : it]),
  ),
});

/** Files of a run of weft that is going on or was killed, and the content of submodules, are in no commit of this repository. */
function withoutRuntime(folder: FileTree, committed: FileTree | undefined): FileTree {
  const { journal, processLock, staging } = OWN_PATHS;
  const modules = [...(committed?.files ?? [])].flatMap(([path, it]) => (it.kind === 'submodule' ? [`${path}/`] : []));
  const isRuntime = (path: string): boolean =>
    !committed?.files.has(path) &&
    ([journal, processLock].some((it) => it === path) || [`${staging}/`, ...modules].some((it) => path.startsWith(it)));
  return { ...folder, files: new Map([...folder.files].filter(([path]) => !isRuntime(path))) };
}

/**
 * The text that `weft compile` writes at a path below `out/`, records included; `undefined` where it writes nothing. Only the
 * folder of that file is printed.
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
