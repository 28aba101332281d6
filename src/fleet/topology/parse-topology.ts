import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { validateTopology } from '../../base/generated/validators.js';
import type { Topology } from '../../base/schema-types/topology.ts';
import { Reading } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';
import { joinIncluded } from './join-included.ts';
import { parseIncluded } from './parse-included.ts';
import { readWrittenFile } from './read-written-file.ts';
import type { TopologyDocument } from './topology-document.ts';
import { withEmptyClusters } from './with-empty-clusters.ts';

/** An empty topology is not intended: it was lost, or is still to be written. */
const OWN_WORDS = { empty: { hint: 'restore it from git, or run "weft init" to write a new one' } };

const FILE = {
  what: 'the topology',
  named: { key: 'clusters', noun: 'cluster' },
  validate: validateTopology,
  words: OWN_WORDS,
  inFull: withEmptyClusters,
};

/**
 * The topology and the files that it includes, as one document in which every part keeps its place. Each file is checked against
 * the schema. The rules check what a schema cannot express.
 */
export function parseTopology(source: Source, included: readonly Source[]): Outcome<TopologyDocument> {
  const topology = readWrittenFile(source, FILE);
  if (included.length === 0) return andThen(topology, ({ reading }) => outcome({ source, reading }));
  const parts = included.map(parseIncluded);
  const diagnostics = [topology, ...parts].flatMap((it) => it.diagnostics);
  const roots = parts.flatMap((it) => (it.ok ? [it.value] : []));
  if (!topology.ok || roots.length < parts.length) return failure(diagnostics);
  const { root, found } = joinIncluded(topology.value.root, roots);
  return outcome({ source, reading: Reading.of<Topology>(root) }, [...diagnostics, ...found]);
}
