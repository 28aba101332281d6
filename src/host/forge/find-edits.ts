import { byCodeUnit, sortedUnique } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import { type Forge, fileMode, isFile, isFolder, type TreeEdit } from './forge.ts';
import type { OpenTree } from './open-tree.ts';

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
