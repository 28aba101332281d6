import type { Forge, TreeEdit } from './forge.ts';
import { ForgeError } from './forge-error.ts';
import { CHUNK, treeChunks } from './tree-chunks.ts';

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

/** A very large text is sent alone, as a blob, and enters the tree by its name. */
async function withLargeTextAsBlob(forge: Forge, edit: TreeEdit): Promise<TreeEdit> {
  if (edit.kind !== 'write' || edit.text.length <= CHUNK.bytes) return edit;
  return { kind: 'put', path: edit.path, entry: { mode: edit.mode, id: await forge.writeBlob(edit.text) } };
}
