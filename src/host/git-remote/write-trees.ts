import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bug } from '../../base/diagnostics/bug.ts';
import { type ForgeContent, isFolder, type TreeEntry } from '../forge/forge.ts';
import type { GitRemote } from './git-remote.ts';
import { type NewEntry, type NewFolder, type PathEdit, planTree } from './plan-tree.ts';
import type { TreeReader } from './read-trees.ts';

/** Blobs and trees, written by few processes: one for all blobs, and one for all trees of a depth. */
export function writeTrees(
  remote: GitRemote,
  { readFolder }: TreeReader,
): Pick<ForgeContent, 'writeBlob' | 'writeTree'> {
  return {
    writeBlob: async (text) => (await writeBlobs(remote, [text]))[0] ?? bug('git wrote a file and named none'),
    writeTree: async (base, edits) => {
      const ids = await writeBlobs(
        remote,
        edits.flatMap((it) => (it.kind === 'write' ? [it.text] : [])),
      );
      let next = 0;
      const pathEdits = edits.map((it): PathEdit => {
        const path = it.path.split('/');
        if (it.kind === 'delete') return { path, entry: null };
        if (it.kind === 'put') return { path, entry: it.entry };
        return { path, entry: { mode: it.mode, id: ids[next++] ?? bug(`git wrote no file for ${it.path}`) } };
      });
      return writeFolder(remote, await planTree(readFolder, base, pathEdits));
    },
  };
}

async function writeBlobs({ ask, folder }: GitRemote, texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const files = texts.map((_, i) => join(folder, `text-${i}`));
  await Promise.all(files.map((file, i) => writeFile(file, texts[i] ?? '')));
  const paths = files.map((it) => `${it}\n`).join('');
  const written = await ask('write files', ['hash-object', '-w', '--no-filters', '--stdin-paths'], paths);
  return linesOf(written);
}

const linesOf = (text: Buffer): readonly string[] => text.toString('latin1').split('\n').filter(Boolean);

/** The deepest folders first: a folder is named by the folders in it. */
async function writeFolder({ ask }: GitRemote, root: NewFolder): Promise<string> {
  const ids = new Map<NewFolder, string>();
  const levels = levelsOf(root);
  for (const level of levels.toReversed()) {
    const trees = level.map((it) => printTree(it, (folder) => ids.get(folder) ?? bug('a folder has no name yet')));
    // Each tree ends with an empty entry. Objects may be missing here, as long as the server has them.
    const written = linesOf(await ask('write folders', ['mktree', '-z', '--batch', '--missing'], Buffer.concat(trees)));
    level.forEach((folder, i) => {
      ids.set(folder, written[i] ?? bug('git wrote a folder and named none'));
    });
  }
  return ids.get(root) ?? bug('git wrote no tree');
}

function levelsOf(root: NewFolder): readonly (readonly NewFolder[])[] {
  const levels: NewFolder[][] = [];
  for (let level: NewFolder[] = [root]; level.length > 0; ) {
    levels.push(level);
    level = level.flatMap((it) => [...it.values()].flatMap((entry) => (entry.kind === 'new' ? [entry.folder] : [])));
  }
  return levels;
}

function printTree(folder: NewFolder, idOf: (folder: NewFolder) => string): Buffer {
  const entryOf = (it: NewEntry): TreeEntry =>
    it.kind === 'known' ? it.entry : { mode: '040000', id: idOf(it.folder) };
  const lines = [...folder].map(([name, it]) => {
    const { mode, id } = entryOf(it);
    const type = isFolder({ mode, id }) ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    return Buffer.concat([Buffer.from(`${mode} ${type} ${id}\t`), encodeName(name), Buffer.from('\0')]);
  });
  return Buffer.concat([...lines, Buffer.from('\0')]);
}

/** The bytes of a name that `decodeName` has read: a name that is not UTF-8 has lone surrogates for its bytes above 127. */
function encodeName(name: string): Buffer {
  if (!/\p{Cs}/u.test(name)) return Buffer.from(name);
  return Buffer.from([...name].map((it) => it.charCodeAt(0) & 0xff));
}
