import { type DocumentEntry, type DocumentNode, mergeNodes } from './document-node.ts';

/**
 * A map with other keys, also in the maps below it. Every part keeps its place. Where the new key exists as well, both
 * values are merged, and what was written under the new key wins.
 *
 * @param names new keys by old key
 */
export function renameKeys(node: DocumentNode, names: ReadonlyMap<string, string>): DocumentNode {
  if (node.kind !== 'map') return node;
  const [kept, renamed] = [new Map<string, DocumentEntry>(), new Map<string, DocumentEntry>()];
  for (const [old, { key, value }] of node.entries) {
    const name = names.get(old);
    (name === undefined ? kept : renamed).set(name ?? old, { key, value: renameKeys(value, names) });
  }
  const { kind, span } = node;
  return mergeNodes({ kind, span, entries: renamed }, { kind, span, entries: kept });
}
