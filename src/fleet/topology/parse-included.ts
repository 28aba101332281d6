import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { validateTopology } from '../../base/generated/validators.js';
import type { DocumentEntry, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import type { Source } from '../../base/source/source.ts';
import { isFleetKey } from './included-keys.ts';
import { readWrittenFile } from './read-written-file.ts';
import { withEmptyClusters } from './with-empty-clusters.ts';

const FILE = {
  what: 'an included file',
  named: { key: 'clusters', noun: 'cluster' },
  validate: validateTopology,
  inFull: asTopology,
  mistakesIn: keysOfTheFleet,
  words: { empty: { hint: 'remove it, or restore it from git' } },
};

/** A file that a topology includes, checked against the schema of topologies. */
export const parseIncluded = (source: Source): Outcome<DocumentMap> =>
  andThen(readWrittenFile(source, FILE), ({ root }) => outcome(root));

function keysOfTheFleet({ entries }: DocumentMap): readonly Diagnostic[] {
  const found = [...entries].filter(([name]) => isFleetKey(name));
  return found.map(([name, { key }]) =>
    diagnostic('topology/unknown-key', key, `"${name}" is about the whole fleet, and this is an included file`, {
      hint: `move "${name}" to the topology that includes this file`,
    }),
  );
}

/** The file with what every topology must have, so that one schema is enough for both. */
function asTopology(root: DocumentMap): DocumentMap {
  const { span } = root;
  const missing: readonly (readonly [string, DocumentNode])[] = [
    ['name', { kind: 'scalar', span, value: '' }],
    ['clusters', { kind: 'map', span, entries: new Map() }],
  ];
  const added = missing.map(([name, value]): [string, DocumentEntry] => [name, { key: span, value }]);
  return withEmptyClusters({ kind: 'map', span, entries: new Map([...added, ...root.entries]) });
}
