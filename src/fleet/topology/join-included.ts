import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { DocumentEntry, DocumentList, DocumentMap } from '../../base/source/document-node.ts';
import { INCLUDED_LISTS } from './included-keys.ts';

interface Joined {
  readonly root: DocumentMap;
  readonly found: readonly Diagnostic[];
}

/** A topology with the clusters and the lists of included files behind its own; all of them follow the schema. */
export function joinIncluded(topology: DocumentMap, included: readonly DocumentMap[]): Joined {
  const parts = [topology, ...included];
  const entries = new Map(topology.entries);
  for (const key of INCLUDED_LISTS) {
    const joined = joinLists(entriesAt(parts, key));
    if (joined !== undefined) entries.set(key, joined);
  }
  const clusters = joinClusters(entriesAt(parts, 'clusters'));
  if (clusters.entry !== undefined) entries.set('clusters', clusters.entry);
  return { root: { kind: 'map', span: topology.span, entries }, found: clusters.found };
}

const entriesAt = (parts: readonly DocumentMap[], key: string): readonly DocumentEntry[] =>
  parts.flatMap(({ entries }) => entries.get(key) ?? []);

/** One list, with the place of the first. */
function joinLists(lists: readonly DocumentEntry[]): DocumentEntry | undefined {
  const [first] = lists;
  if (first === undefined) return undefined;
  const items = lists.flatMap(({ value }) => (value.kind === 'list' ? value.items : []));
  const value: DocumentList = { kind: 'list', span: first.value.span, items };
  return { key: first.key, value };
}

/** One map, with the place of the first. A cluster is declared once. */
function joinClusters(maps: readonly DocumentEntry[]): {
  readonly entry: DocumentEntry | undefined;
  readonly found: readonly Diagnostic[];
} {
  const found: Diagnostic[] = [];
  const clusters = new Map<string, DocumentEntry>();
  for (const { value } of maps) {
    for (const [name, cluster] of value.kind === 'map' ? value.entries : []) {
      const earlier = clusters.get(name);
      if (earlier === undefined) clusters.set(name, cluster);
      else found.push(inTwoFiles(name, cluster, earlier));
    }
  }
  const [first] = maps;
  const entry = first && { key: first.key, value: { kind: 'map' as const, span: first.value.span, entries: clusters } };
  return { entry, found };
}

const inTwoFiles = (name: string, { key }: DocumentEntry, earlier: DocumentEntry): Diagnostic =>
  diagnostic('topology/cluster-in-two-files', key, `"${name}" is declared in two files`, {
    hint: 'keep one of the two',
    related: [{ message: `the first "${name}"`, span: earlier.key }],
  });
