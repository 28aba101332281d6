import { hasPrivateKey } from '../../base/core/secrets.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome } from '../../base/diagnostics/outcome.ts';
import { validateIdentities } from '../../base/generated/validators.js';
import type { IdentitiesFile } from '../../base/schema-types/identities.ts';
import type { Reading } from '../../base/source/reading.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import { readWrittenFile } from './read-written-file.ts';

const FILE = {
  what: 'the identities file',
  named: { key: 'identities', noun: 'cluster' },
  validate: validateIdentities,
};

/** Reads the providers' answers by their schema. The sharing stage checks the certificates. */
export function parseIdentities(source: Source): Outcome<IdentitiesDocument> {
  if (hasPrivateKey(source.text)) return failure([privateKeyInIdentities(source)]);
  return readWrittenFile(source, FILE);
}

/** Has no place in the text, because its line would be printed into logs of CI, which are kept. */
const privateKeyInIdentities = ({ path }: Source): Diagnostic =>
  diagnostic('keys/private-key', startOf({ path, text: '' }), 'the identities file contains a private key', {
    hint: 'remove it, also from the history of git, and run "weft identities collect" for that pair again',
  });

/** An identities file that follows its schema. */
export interface IdentitiesDocument {
  readonly source: Source;
  readonly reading: Reading<IdentitiesFile>;
}
