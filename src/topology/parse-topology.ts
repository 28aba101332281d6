import type { Outcome } from '../diagnostics/outcome.ts';
import { validateTopology } from '../generated/validators.js';
import type { DocumentEntry, DocumentMap } from '../source/document-node.ts';
import type { Source } from '../source/source.ts';
import { readWrittenFile } from './read-written-file.ts';
import type { TopologyDocument } from './topology-document.ts';

/** An empty topology is not intended: it was lost, or is still to be written. */
const OWN_WORDS = { empty: { hint: 'restore it from git, or run "weft init" to write a new one' } };

const FILE = {
  what: 'the topology',
  named: { key: 'clusters', noun: 'cluster' },
  validate: validateTopology,
  words: OWN_WORDS,
  inFull: withEmptyClusters,
};

/** The topology, checked against its schema. The rules check what a schema cannot express. */
export function parseTopology(source: Source): Outcome<TopologyDocument> {
  return readWrittenFile(source, FILE);
}

/** `rome:` without a value is a cluster with defaults only, and becomes an empty map. */
function withEmptyClusters(root: DocumentMap): DocumentMap {
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
