import { OWN_PATHS } from '../core/bundle-path.ts';
import type { FileTree, TreeFile } from '../core/file-tree.ts';
import { blobId, type ObjectFormat } from '../disk/blob-id.ts';
import type { GitCommit } from '../disk/open-commit.ts';
import { findSuspects } from '../provenance/find-suspects.ts';
import { type FileContent, type Finding, judgeFile } from '../provenance/judge-file.ts';
import type { FileReader } from './ports.ts';

/** What `weft compile` writes below `out/`, by path. */
export interface Wanted {
  readonly bundle: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, string>;
}

interface Search {
  readonly out: string;
  readonly head: GitCommit | undefined;
  /** The folder of the bundles in each commit that it may come from. */
  readonly bases: readonly FileTree[];
  readonly format: ObjectFormat;
  readonly wanted: Wanted;
}

/**
 * The files below `out/` that are neither wanted nor in a base. By path; what the commit has is reported first, and then what only the
 * working folder has.
 */
export async function findForged(
  files: FileReader,
  { out, head, bases, format, wanted }: Search,
): Promise<readonly Finding[]> {
  const texts = new Map([...wanted.bundle, ...wanted.records]);
  const around = {
    bases,
    wanted: memoryTree(texts, format),
    records: wanted.records,
  };
  const committed = await head?.treeBelow(out);
  const folder = withoutModes(withoutRuntime(await files.treeBelow(out, format), committed));
  const found = committed === undefined ? [] : await judgeTree(committed, around);
  const known = new Set(found.map((it) => it.path));
  const plain = { ...around, bases: around.bases.map(withoutModes) };
  const uncommitted = (await judgeTree(folder, plain)).filter((it) => !known.has(it.path));
  return [...found, ...uncommitted];
}

interface Around {
  readonly bases: readonly FileTree[];
  readonly wanted: FileTree;
  readonly records: ReadonlyMap<string, string>;
}

async function judgeTree(head: FileTree, { bases, wanted, records }: Around): Promise<readonly Finding[]> {
  const paths = findSuspects({ head: head.files, bases: bases.map((it) => it.files), wanted: wanted.files });
  if (paths.length === 0) return [];
  const [inHead, inWanted] = [await contents(head, paths), await contents(wanted, paths)];
  const inBases = await Promise.all(bases.map((it) => contents(it, paths)));
  return paths.flatMap((path) => {
    const suspect = { path, head: inHead(path), bases: inBases.map((it) => it(path)), wanted: inWanted(path) };
    return judgeFile({ ...suspect, isRecord: records.has(path) }) ?? [];
  });
}

async function contents(tree: FileTree, paths: readonly string[]): Promise<(path: string) => FileContent | undefined> {
  const texts = await tree.textsOf(paths);
  return (path) => {
    const file = tree.files.get(path);
    return file && { ...file, text: texts.get(path) ?? null };
  };
}

const memoryTree = (texts: ReadonlyMap<string, string>, format: ObjectFormat): FileTree => ({
  files: new Map([...texts].map(([path, text]) => [path, { kind: 'file', id: blobId(text, format) }])),
  textsOf: async (paths) =>
    new Map([...paths].flatMap((path) => (texts.has(path) ? [[path, texts.get(path) ?? null]] : []))),
});

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
