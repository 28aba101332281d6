import { hasPrivateKey } from '../core/private-keys.ts';
import { controlCharacters } from '../diagnostics/control-characters.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { inSourceOrder } from '../diagnostics/in-source-order.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { readBySchema } from '../diagnostics/read-by-schema.ts';
import type { SchemaFile } from '../diagnostics/schema/schema-file.ts';
import { secretsInTexts } from '../diagnostics/secrets-in-texts.ts';
import { validateKeys } from '../generated/validators.js';
import { readDocument } from '../source/read-document.ts';
import { type Source, startOf } from '../source/source.ts';
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
  if (hasPrivateKey(source.text)) return failure([containsPrivateKey(source, REMOVE_ENTRY)]);
  if (SECRET.test(source.text)) return failure([containsPrivateKey(source, REMOVE_KEY)]);
  const result = readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems));
  const { root } = result;
  const { reading, found } = readBySchema(root, validateKeys, FILE);
  const all = [
    ...found,
    ...controlCharacters(root, 'topology/control-character'),
    ...secretsInTexts(root, 'topology/secret'),
  ];
  return outcome({ source, reading }, inSourceOrder(all));
}

/** A key of a WireGuard configuration or of a Secret of Kubernetes, or such a Secret. */
const SECRET = /(?:^|[\s{,"'])(?:private[-_ ]?key["']?\s*[:=]|kind["']?\s*:\s*["']?Secret\b)/im;

/** Without a place in the text: a place is printed with its line, and logs of CI are kept. */
const containsPrivateKey = ({ path }: Source, hint: string): Diagnostic =>
  diagnostic('keys/private-key', startOf({ path, text: '' }), 'the keys file contains a private key or a Secret', {
    hint,
  });

const REMOVE_KEY =
  'remove it, also from the history of git, and make new keys for its gateway: "wg genkey" prints the private half, "wg pubkey" the public one';
const REMOVE_ENTRY =
  'remove the entry of its cluster, also from the history of git, and run "weft keys generate --replace"';
