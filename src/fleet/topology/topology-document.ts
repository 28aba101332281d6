import type { Topology } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';

/** A topology that follows its schema, together with what it includes. */
export interface TopologyDocument {
  readonly source: Source;
  /** A cluster without a value is an empty map in it. */
  readonly reading: Reading<Topology>;
}
