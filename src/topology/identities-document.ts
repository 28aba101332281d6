import type { IdentitiesFile } from '../schema-types/identities.ts';
import type { Reading } from '../source/reading.ts';
import type { Source } from '../source/source.ts';

/** An identities file that follows its schema. */
export interface IdentitiesDocument {
  readonly source: Source;
  readonly reading: Reading<IdentitiesFile>;
}
