import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { KEY_PLACES } from '../../base/generated/key-places.js';
import type { Topology } from '../../base/schema-types/topology.ts';
import type { DocumentEntry, DocumentList, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import { Reading } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';
import { validateWithChart } from './helm-values.ts';
import { checkWrittenRoot, readWrittenFile } from './read-written-file.ts';
import { findFormerKeys, withoutFormerKeys } from './replaced-keys.ts';

/** `rome:` without a value is a cluster with defaults only, and becomes an empty map. */
function inFull(root: DocumentMap): DocumentMap {
  const clusters = root.entries.get('clusters');
  if (clusters?.value.kind !== 'map') return withoutFormerKeys(root);
  const entries = new Map([...clusters.value.entries].map(([name, it]) => [name, withEmptyMap(it)]));
  const value: DocumentMap = { kind: 'map', span: clusters.value.span, entries };
  return withoutFormerKeys({
    kind: 'map',
    span: root.span,
    entries: new Map(root.entries).set('clusters', { key: clusters.key, value }),
  });
}

function withEmptyMap(entry: DocumentEntry): DocumentEntry {
  const { key, value } = entry;
  if (value.kind !== 'scalar' || value.value !== null) return entry;
  const span = value.span.start === value.span.end ? key : value.span;
  return { key, value: { kind: 'map', span, entries: new Map() } };
}

/** An empty topology is not intended: it was lost, or is still to be written. */
const OWN_WORDS = { empty: { hint: 'restore it from git, or run "weft init" to write a new one' } };

const TOPOLOGY_FILE = {
  what: 'the topology',
  named: { key: 'clusters', noun: 'cluster' },
  places: KEY_PLACES,
  validate: validateWithChart,
  words: OWN_WORDS,
  inFull,
  mistakesIn: findFormerKeys,
};

/**
 * The topology and the files that it includes, as one document in which every part keeps its place. Each file is checked against
 * the schema. The rules check what a schema cannot express.
 */
export function parseTopology(source: Source, included: readonly Source[]): Outcome<TopologyDocument> {
  const topology = readWrittenFile(source, TOPOLOGY_FILE);
  if (included.length === 0) return andThen(topology, ({ reading }) => outcome({ source, reading }));
  const parts = included.map(parseIncluded);
  const diagnostics = [topology, ...parts].flatMap((it) => it.diagnostics);
  const roots = parts.flatMap((it) => (it.ok ? [it.value] : []));
  if (!topology.ok || roots.length < parts.length) return failure(diagnostics);
  const { root, found } = joinIncluded(topology.value.root, roots);
  return outcome({ source, reading: Reading.of<Topology>(root) }, [...diagnostics, ...found]);
}

/** Clusters and what is about all of them, joined from files and an inventory, as the topology that they would be. */
export const parseJoined = (source: Source, root: DocumentMap): Outcome<TopologyDocument> =>
  andThen(checkWrittenRoot(source, root, TOPOLOGY_FILE), ({ reading }) => outcome({ source, reading }));

const INCLUDED_FILE = {
  what: 'an included file',
  named: { key: 'clusters', noun: 'cluster' },
  places: KEY_PLACES,
  validate: validateWithChart,
  inFull: asTopology,
  mistakesIn: mistakesInIncluded,
  words: { empty: { hint: 'remove it, or restore it from git' } },
};

/** A file that a topology includes, checked against the schema of topologies. */
const parseIncluded = (source: Source): Outcome<DocumentMap> =>
  andThen(readWrittenFile(source, INCLUDED_FILE), ({ root }) => outcome(root));

function mistakesInIncluded(root: DocumentMap): readonly Diagnostic[] {
  const found = [...root.entries].filter(([name]) => isFleetKey(name));
  const misplaced = found.map(([name, { key }]) =>
    diagnostic('topology/unknown-key', key, `"${name}" is about the whole fleet, and this is an included file`, {
      hint: `move "${name}" to the topology that includes this file`,
    }),
  );
  return [...misplaced, ...findFormerKeys(root)];
}

/** The file with what every topology must have, so that one schema is enough for both. */
function asTopology(root: DocumentMap): DocumentMap {
  const { span } = root;
  const missing: readonly (readonly [string, DocumentNode])[] = [
    ['name', { kind: 'scalar', span, value: '' }],
    ['clusters', { kind: 'map', span, entries: new Map() }],
  ];
  const added = missing.map(([name, value]): [string, DocumentEntry] => [name, { key: span, value }]);
  return inFull({ kind: 'map', span, entries: new Map([...added, ...root.entries]) });
}

interface Joined {
  readonly root: DocumentMap;
  readonly found: readonly Diagnostic[];
}

/** A topology with the clusters and the lists of included files behind its own; all of them follow the schema. */
function joinIncluded(topology: DocumentMap, included: readonly DocumentMap[]): Joined {
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

/** The lists that an included file may have: what there can be any number of. */
export const INCLUDED_LISTS = [
  ...(['peerings', 'shortcuts', 'sharing', 'offloading', 'boundaries', 'assertions', 'accept'] as const),
] as const;

type IncludedKey = 'version' | 'clusters' | (typeof INCLUDED_LISTS)[number];

/** The keys that only the topology itself may have: they are about the fleet as a whole. */
const FLEET_KEYS: Readonly<Record<Exclude<keyof Topology, IncludedKey>, true>> = {
  name: true,
  renamedFrom: true,
  liqo: true,
  ipam: true,
  hub: true,
  order: true,
  include: true,
  defaults: true,
  gitops: true,
  conformance: true,
  keys: true,
};

const isFleetKey = (key: string): boolean => Object.hasOwn(FLEET_KEYS, key);

/** A topology that follows its schema, together with what it includes. */
export interface TopologyDocument {
  readonly source: Source;
  /** A cluster without a value is an empty map in it. */
  readonly reading: Reading<Topology>;
}
