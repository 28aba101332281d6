import type { TreeEdit } from './forge.ts';

/**
 * The content of one call. GitHub documents no limit; with some hundred entries or a few megabytes it answers 502 or "your input
 * was too large". Source: peter-evans/create-pull-request and googleapis/code-suggester, which both settled on 100.
 */
export const CHUNK = { edits: 100, bytes: 1_000_000 } as const;

/** Edits in their order, in pieces that GitHub accepts. An edit larger than a piece gets its own piece. */
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

/** About as many bytes as the edit takes in JSON: generated texts are ASCII except for names of users. */
const sizeOf = (edit: TreeEdit): number => edit.path.length + (edit.kind === 'write' ? edit.text.length : 40) + 80;
