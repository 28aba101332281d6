import type { DocumentNode } from '../source/document-node.ts';
import type { Source } from '../source/source.ts';
import type { LockFile } from './schema-types.ts';

/** A lock that follows its schema: the value, and the same with the place of every part. */
export interface LockDocument {
  readonly source: Source;
  readonly root: DocumentNode;
  readonly value: LockFile;
}
