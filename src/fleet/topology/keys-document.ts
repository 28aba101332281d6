import type { KeysFile } from '../../base/schema-types/keys.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';

/** A keys file that follows its schema. */
export interface KeysDocument {
  readonly source: Source;
  readonly reading: Reading<KeysFile>;
}
