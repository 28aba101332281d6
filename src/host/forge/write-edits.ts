import type { Commit, Forge, TreeEdit } from './forge.ts';
import { ForgeError } from './forge-error.ts';

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
