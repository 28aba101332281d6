import { controlCharacters } from '../diagnostics/control-characters.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { inSourceOrder } from '../diagnostics/in-source-order.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { readBySchema } from '../diagnostics/read-by-schema.ts';
import type { SchemaFile } from '../diagnostics/schema/schema-file.ts';
import { validateKeys } from '../generated/validators.js';
import { readDocument } from '../source/read-document.ts';
import type { Source } from '../source/source.ts';
import type { KeysDocument } from './keys-document.ts';

const FILE: SchemaFile = {
  what: 'the keys file',
  named: { key: 'keys', noun: 'cluster' },
  codes: {
    unknownKey: 'topology/unknown-key',
    missingKey: 'topology/missing-key',
    wrongType: 'topology/wrong-type',
    wrongValue: 'topology/wrong-value',
  },
};

/** The public keys, checked against their schema. The model stage checks their length and the names of clusters. */
export function parseKeys(source: Source): Outcome<KeysDocument> {
  const result = readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems));
  const { root } = result;
  const { reading, found } = readBySchema(root, validateKeys, FILE);
  const all = [...found, ...controlCharacters(root, 'topology/control-character')];
  return outcome({ source, reading }, inSourceOrder(all));
}
