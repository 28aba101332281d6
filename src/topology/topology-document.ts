import type { DocumentNode } from '../source/document-node.ts';
import type { Source } from '../source/source.ts';
import type { Topology } from './schema-types.ts';

/** A topology that follows its schema: the value, and the same with the place of every part. */
export interface TopologyDocument {
  readonly source: Source;
  /** A cluster without a value stands here as an empty map. */
  readonly root: DocumentNode;
  readonly value: Topology;
}
