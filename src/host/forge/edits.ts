import { byCodeUnit, sortedUnique } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import {
  type Commit,
  type Forge,
  ForgeError,
  fileMode,
  isFile,
  isFolder,
  type TreeEdit,
  type TreeEntry,
} from './forge.ts';

export interface Edits {
  readonly edits: readonly TreeEdit[];
  /** Edited paths that others have changed since weft last wrote them. */
  readonly overwritten: readonly string[];
  /** Paths that are no longer generated but were changed by others; they are kept. */
  readonly kept: readonly string[];
}

/** A branch with commits of weft: its present tree, and the tree that weft last wrote. */
export interface KnownBranch {
  readonly now: OpenTree;
  readonly asWritten: OpenTree;
}

/**
 * The necessary edits of a tree. A file that git already has with the same content is not sent, and only existing files
 * are deleted: GitHub refuses a tree that deletes a missing file.
 */
export async function findEdits(
  forge: Forge,
  tree: OpenTree,
  wanted: WantedFiles,
  branch: KnownBranch | null,
): Promise<Edits> {
  const edits: TreeEdit[] = [];
  const overwritten: string[] = [];
  const kept: string[] = [];
  const isForeign = async (path: string): Promise<boolean> => {
    if (branch === null) return false;
    const [now, written] = [await branch.now.entryAt(path), await branch.asWritten.entryAt(path)];
    return now !== undefined && now.id !== written?.id;
  };
  for (const [path, text] of await allPaths(forge, branch === null ? [tree] : [tree, branch.now], wanted)) {
    const entry = await tree.entryAt(path);
    if (text === null) {
      if (entry === undefined || wanted.keep.has(path)) continue;
      if (await isForeign(path)) kept.push(path);
      else edits.push({ kind: 'delete', path, mode: entry.mode });
    } else if (entry === undefined || !isFile(entry) || !(await isBlobOf(entry.id, text))) {
      edits.push({ kind: 'write', path, text, mode: fileMode(entry) });
      if (await isForeign(path)) overwritten.push(path);
    }
  }
  return { edits, overwritten, kept };
}

/** The wanted files, and further files of the records; sorted, deletions first, so that a file may become a folder. */
async function allPaths(
  forge: Forge,
  trees: readonly OpenTree[],
  wanted: WantedFiles,
): Promise<readonly (readonly [string, string | null])[]> {
  const all = new Map<string, string | null>();
  for (const tree of trees) for (const path of await recordedIn(forge, tree, wanted)) all.set(path, null);
  for (const [path, text] of wanted.files) all.set(path, text);
  return [...all].sort(([a, textOfA], [b, textOfB]) => {
    const byKind = Number(textOfA !== null) - Number(textOfB !== null);
    return byKind || byCodeUnit(a, b);
  });
}

/** Files that weft wrote according to the records in a tree, and the records without their wanted text. */
export async function recordedIn(
  forge: Forge,
  tree: OpenTree,
  { files, records }: WantedFiles,
): Promise<readonly string[]> {
  const changed: { readonly name: string; readonly path: string; readonly id: string }[] = [];
  for (const name of await tree.namesIn(records.folder)) {
    const path = `${records.folder}/${name}`;
    const [entry, wanted] = [await tree.entryAt(path), files.get(path)];
    if (entry === undefined || !isFile(entry) || records.list(name, '') === undefined) continue;
    if (typeof wanted === 'string' && (await isBlobOf(entry.id, wanted))) continue;
    changed.push({ name, path, id: entry.id });
  }
  // There is one record per cluster.
  const texts = await forge.readTexts(changed.map((it) => it.id));
  return changed.flatMap(({ name, path }, i) => [path, ...(records.list(name, texts[i] ?? '') ?? [])]);
}

/** The wanted files of a repository, by full path. */
export interface WantedFiles {
  /** Texts by path; `null` for a path without a file. */
  readonly files: ReadonlyMap<string, string | null>;
  /** The folder of the records, which list the files of weft. A listed file that is no longer generated is deleted. */
  readonly records: {
    readonly folder: string;
    /** The files that a record of that name may list; `undefined` for a file that is no record. */
    readonly list: (name: string, text: string) => readonly string[] | undefined;
  };
  /** Files of weft that were edited since: they stay, and weft no longer manages them. */
  readonly keep: ReadonlySet<string>;
}

/**
 * True if a blob has a text, with the line ends of either system. They may differ between checkout and repository, and
 * every edit on the other system would produce a commit that changes only line ends.
 */
export async function isBlobOf(id: string, text: string): Promise<boolean> {
  const lf = withLf(text);
  return id === (await textId(lf)) || id === (await textId(lf.replaceAll('\n', '\r\n'))) || id === (await textId(text));
}

const encoder = new TextEncoder();

/** The object ID of a text in git, so that existing texts are not sent again. Source: git, Documentation gitformat. */
export async function textId(text: string): Promise<string> {
  const bytes = encoder.encode(text);
  const head = encoder.encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return hexOf(await crypto.subtle.digest('SHA-1', whole));
}

/** SHA-256 of a text, in hex. */
export const digestOf = async (text: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

const hexOf = (hash: ArrayBuffer): string =>
  [...new Uint8Array(hash)].map((it) => it.toString(16).padStart(2, '0')).join('');

/** Links and submodules of others at the paths of wanted files or of their folders; weft creates none. */
export async function linksInTheWay(tree: OpenTree, { files }: WantedFiles): Promise<readonly string[]> {
  const wanted = [...files].filter(([, text]) => text !== null).flatMap(([path]) => withFolders(path));
  const found: string[] = [];
  for (const path of sortedUnique(wanted)) {
    const entry = await tree.entryAt(path);
    if (entry !== undefined && !isFile(entry) && !isFolder(entry)) found.push(path);
  }
  return found;
}

const withFolders = (path: string): readonly string[] =>
  path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));

/** A tree whose entries can be read by path. */
export interface OpenTree {
  readonly id: string;
  readonly entryAt: (path: string) => Promise<TreeEntry | undefined>;
  /** The names of the files in a folder itself; none without such a folder. */
  readonly namesIn: (folder: string) => Promise<readonly string[]>;
}

/**
 * A tree of the forge, read at once if one response can contain it. In a larger repository only the folders above the
 * requested paths are read, each once.
 */
export async function openTree(forge: Forge, id: string): Promise<OpenTree> {
  const files = await forge.listFiles(id);
  if (files !== null) {
    return { id, entryAt: async (path) => files.get(path), namesIn: async (path) => namesBelow(files, `${path}/`) };
  }
  const folders = new Map<string, ReturnType<Forge['readFolder']>>();
  const folder = (tree: string): ReturnType<Forge['readFolder']> => {
    const known = folders.get(tree) ?? forge.readFolder(tree);
    folders.set(tree, known);
    return known;
  };
  const entryAt = (path: string) => walk(folder, id, path.split('/'));
  return {
    id,
    entryAt,
    namesIn: async (path) => {
      const entry = await entryAt(path);
      if (entry === undefined || !isFolder(entry)) return [];
      return [...(await folder(entry.id))].filter(([, it]) => !isFolder(it)).map(([name]) => name);
    },
  };
}

const namesBelow = (files: ReadonlyMap<string, TreeEntry>, start: string): readonly string[] =>
  [...files.keys()]
    .filter((it) => it.startsWith(start))
    .map((it) => it.slice(start.length))
    .filter((it) => !it.includes('/'));

async function walk(
  folder: Forge['readFolder'],
  tree: string,
  [name = '', ...rest]: readonly string[],
): Promise<TreeEntry | undefined> {
  const entry = (await folder(tree)).get(name);
  if (entry === undefined || rest.length === 0) return entry;
  return isFolder(entry) ? walk(folder, entry.id, rest) : undefined;
}

/** Writes one tree from any number of edits, in pieces that build on each other. */
export async function writeEdits(forge: Forge, base: string, edits: readonly TreeEdit[]): Promise<string> {
  let tree = base;
  for (const chunk of treeChunks(edits)) tree = await writeChunk(forge, tree, chunk);
  return tree;
}

async function writeChunk(forge: Forge, base: string, edits: readonly TreeEdit[]): Promise<string> {
  try {
    return await forge.writeTree(base, await Promise.all(edits.map((it) => withLargeTextAsBlob(forge, it))));
  } catch (error) {
    if (!mayBeTooLarge(error) || edits.length < 2) throw error;
    const middle = Math.ceil(edits.length / 2);
    return writeChunk(forge, await writeChunk(forge, base, edits.slice(0, middle)), edits.slice(middle));
  }
}

/** GitHub answers 413 or 422 to too much in one request, and often 502. Source: googleapis/code-suggester#397. */
const mayBeTooLarge = (error: unknown): boolean =>
  error instanceof ForgeError && (error.failure === 'too-large' || error.status >= 500);

/** Sends a very large text alone, as a blob; the tree then refers to it by ID. */
async function withLargeTextAsBlob(forge: Forge, edit: TreeEdit): Promise<TreeEdit> {
  if (edit.kind !== 'write' || edit.text.length <= CHUNK.bytes) return edit;
  return { kind: 'put', path: edit.path, entry: { mode: edit.mode, id: await forge.writeBlob(edit.text) } };
}

/**
 * The limits of one call. GitHub documents none; to hundreds of entries or a few megabytes it answers 502 or "your
 * input was too large". Source: peter-evans/create-pull-request and googleapis/code-suggester, which both use 100.
 */
const CHUNK = { edits: 100, bytes: 1_000_000 } as const;

/** Splits edits into pieces that GitHub accepts, in order. An edit larger than a piece gets its own. */
export function treeChunks(edits: readonly TreeEdit[]): readonly (readonly TreeEdit[])[] {
  const chunks: TreeEdit[][] = [];
  let bytes = 0;
  for (const edit of edits) {
    const size = sizeOf(edit);
    const last = chunks.at(-1);
    if (last !== undefined && last.length < CHUNK.edits && bytes + size <= CHUNK.bytes) {
      last.push(edit);
      bytes += size;
    } else {
      chunks.push([edit]);
      bytes = size;
    }
  }
  return chunks;
}

/** The approximate size of an edit in JSON, in bytes: generated texts are ASCII except for names of users. */
const sizeOf = (edit: TreeEdit): number => edit.path.length + (edit.kind === 'write' ? edit.text.length : 40) + 80;

/**
 * Writes a commit whose message ends with the sign-off of its author. Most tokens of jobs may not read their owner, so
 * the owner is read from a temporary commit that is on no branch.
 */
export async function writeSignedOff(forge: Forge, commit: Omit<Commit, 'id'>): Promise<string> {
  const { name, email } = await forge.authorOf(await forge.writeCommit(commit));
  return forge.writeCommit({ ...commit, message: `${commit.message.trimEnd()}\nSigned-off-by: ${name} <${email}>\n` });
}
