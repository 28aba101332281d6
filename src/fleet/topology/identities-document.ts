import type { IdentitiesFile } from '../../base/schema-types/identities.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';

/** An identities file that follows its schema. */
export interface IdentitiesDocument {
  readonly source: Source;
  readonly reading: Reading<IdentitiesFile>;
}
