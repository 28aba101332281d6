import { controlCharacters } from '../diagnostics/control-characters.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { inSourceOrder } from '../diagnostics/in-source-order.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { readBySchema } from '../diagnostics/read-by-schema.ts';
import type { SchemaFile } from '../diagnostics/schema/schema-file.ts';
import { secretsInTexts } from '../diagnostics/secrets-in-texts.ts';
import { validateTopology } from '../generated/validators.js';
import type { DocumentEntry, DocumentMap } from '../source/document-node.ts';
import { readDocument } from '../source/read-document.ts';
import type { Source } from '../source/source.ts';
import type { TopologyDocument } from './topology-document.ts';

const FILE: SchemaFile = {
  what: 'the topology',
  named: { key: 'clusters', noun: 'cluster' },
  codes: {
    unknownKey: 'topology/unknown-key',
    missingKey: 'topology/missing-key',
    wrongType: 'topology/wrong-type',
    wrongValue: 'topology/wrong-value',
  },
};

/** An empty topology is not intended: it was lost, or is still to be written. */
const OWN_WORDS = { empty: { hint: 'restore it from git, or run "weft init" to write a new one' } };

/** The topology, checked against its schema. The rules check what a schema cannot express. */
export function parseTopology(source: Source): Outcome<TopologyDocument> {
  const result = readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems, OWN_WORDS));
  const root = withEmptyClusters(result.root);
  const { reading, found } = readBySchema(root, validateTopology, FILE);
  const all = [
    ...found,
    ...controlCharacters(root, 'topology/control-character'),
    ...secretsInTexts(root, 'topology/secret'),
  ];
  return outcome({ source, reading }, inSourceOrder(all));
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
