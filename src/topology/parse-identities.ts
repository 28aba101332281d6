import { hasPrivateKey } from '../core/private-keys.ts';
import { controlCharacters } from '../diagnostics/control-characters.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { inSourceOrder } from '../diagnostics/in-source-order.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { readBySchema } from '../diagnostics/read-by-schema.ts';
import type { SchemaFile } from '../diagnostics/schema/schema-file.ts';
import { secretsInTexts } from '../diagnostics/secrets-in-texts.ts';
import { validateIdentities } from '../generated/validators.js';
import { readDocument } from '../source/read-document.ts';
import { type Source, startOf } from '../source/source.ts';
import type { IdentitiesDocument } from './identities-document.ts';

const FILE: SchemaFile = {
  what: 'the identities file',
  named: { key: 'identities', noun: 'cluster' },
  codes: {
    unknownKey: 'topology/unknown-key',
    missingKey: 'topology/missing-key',
    wrongType: 'topology/wrong-type',
    wrongValue: 'topology/wrong-value',
  },
};

/** What providers answered, checked against its schema. The sharing stage checks the certificates. */
export function parseIdentities(source: Source): Outcome<IdentitiesDocument> {
  if (hasPrivateKey(source.text)) return failure([containsPrivateKey(source)]);
  const result = readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems));
  const { root } = result;
  const { reading, found } = readBySchema(root, validateIdentities, FILE);
  const all = [
    ...found,
    ...controlCharacters(root, 'topology/control-character'),
    ...secretsInTexts(root, 'topology/secret'),
  ];
  return outcome({ source, reading }, inSourceOrder(all));
}

/** Without a place in the text: a place is printed with its line, and logs of CI are kept. */
const containsPrivateKey = ({ path }: Source): Diagnostic =>
  diagnostic('keys/private-key', startOf({ path, text: '' }), 'the identities file contains a private key', {
    hint: 'remove it, also from the history of git, and run "weft identities collect" for that pair again',
  });
