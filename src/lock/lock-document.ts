import type { LockFile } from '../schema-types/lock.ts';
import type { Reading } from '../source/reading.ts';
import type { Source } from '../source/source.ts';

/** A lock that follows its schema. */
export interface LockDocument {
  readonly source: Source;
  readonly reading: Reading<LockFile>;
}
