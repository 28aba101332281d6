import type { KeysFile } from '../schema-types/keys.ts';
import type { Reading } from '../source/reading.ts';
import type { Source } from '../source/source.ts';

/** A keys file that follows its schema. */
export interface KeysDocument {
  readonly source: Source;
  readonly reading: Reading<KeysFile>;
}
