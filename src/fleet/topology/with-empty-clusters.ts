import type { DocumentEntry, DocumentMap } from '../../base/source/document-node.ts';

/** `rome:` without a value is a cluster with defaults only, and becomes an empty map. */
export function withEmptyClusters(root: DocumentMap): DocumentMap {
  const clusters = root.entries.get('clusters');
  if (clusters?.value.kind !== 'map') return root;
  const entries = new Map([...clusters.value.entries].map(([name, it]) => [name, withEmptyMap(it)]));
  const value: DocumentMap = { ...clusters.value, entries };
  return { ...root, entries: new Map(root.entries).set('clusters', { ...clusters, value }) };
}

function withEmptyMap(entry: DocumentEntry): DocumentEntry {
  const { key, value } = entry;
  if (value.kind !== 'scalar' || value.value !== null) return entry;
  const span = value.span.start === value.span.end ? key : value.span;
  return { key, value: { kind: 'map', span, entries: new Map() } };
}
