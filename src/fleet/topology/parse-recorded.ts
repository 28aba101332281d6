import { firstPair, type RecordedPair } from '../../base/core/key-pair.ts';
import { hasPrivateKey } from '../../base/core/secrets.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome } from '../../base/diagnostics/outcome.ts';
import { validateIdentities, validateKeys } from '../../base/generated/validators.js';
import type { IdentitiesFile } from '../../base/schema-types/identities.ts';
import type { KeysFile } from '../../base/schema-types/keys.ts';
import type { Reading } from '../../base/source/reading.ts';
import { type Located, type Source, type Span, startOf } from '../../base/source/source.ts';
import { readWrittenFile } from './read-written-file.ts';

const KEYS_FILE = {
  what: 'the keys file',
  named: { key: 'keys', noun: 'cluster' },
  validate: validateKeys,
};

/** The public keys, checked against their schema. The model stage checks their length and the names of clusters. */
export function parseKeys(source: Source): Outcome<KeysDocument> {
  if (hasPrivateKey(source.text)) return failure([privateKeyInKeys(source, REMOVE_ENTRY)]);
  if (SECRET.test(source.text)) return failure([privateKeyInKeys(source, REMOVE_KEY)]);
  return readWrittenFile(source, KEYS_FILE);
}

/** A key of a WireGuard configuration or of a Secret of Kubernetes, or such a Secret. */
const SECRET = /(?:^|[\s{,"'])(?:private[-_ ]?key["']?\s*[:=]|kind["']?\s*:\s*["']?Secret\b)/im;

/** Without a place in the text: a place is printed with its line, and logs of CI are kept. */
const privateKeyInKeys = ({ path }: Source, hint: string): Diagnostic =>
  diagnostic('keys/private-key', startOf({ path, text: '' }), 'the keys file contains a private key or a Secret', {
    hint,
  });

const REMOVE_KEY =
  'remove it, also from the history of git, and make new keys for its gateway: "wg genkey" prints the private half, "wg pubkey" the public one';
const REMOVE_ENTRY =
  'remove the entry of its cluster, also from the history of git, and run "weft keys generate --replace"';

/** Every cluster that the keys file names. */
export function namesInKeys(keys: KeysDocument | undefined): ReadonlySet<string> {
  const entries = keys?.reading.at('keys').entries() ?? [];
  const consumers = keys?.reading.at('authentication').entries() ?? [];
  return new Set([
    ...entries.flatMap(({ name, value }) => [name.value, ...value.entries().map((it) => it.name.value)]),
    ...consumers.map((it) => it.name.value),
  ]);
}

/** A keys file that follows its schema. */
export interface KeysDocument {
  readonly source: Source;
  readonly reading: Reading<KeysFile>;
}

const IDENTITIES_FILE = {
  what: 'the identities file',
  named: { key: 'identities', noun: 'cluster' },
  validate: validateIdentities,
};

/** Reads the providers' answers by their schema. The sharing stage checks the certificates. */
export function parseIdentities(source: Source): Outcome<IdentitiesDocument> {
  if (hasPrivateKey(source.text)) return failure([privateKeyInIdentities(source)]);
  return readWrittenFile(source, IDENTITIES_FILE);
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

interface WrittenPair {
  readonly cluster: Located<string>;
  readonly peer: Located<string>;
  readonly pair: RecordedPair;
  /** The places of the key, and of the next one. */
  readonly at: Span;
  readonly nextAt: Span | null;
}

/** The entries of gateways in a keys file, in source order. A text is a key of the first generation. */
export function* gatewayKeysIn(document: KeysDocument | undefined): Iterable<WrittenPair> {
  for (const { name: cluster, value: peers } of document?.reading.at('keys').entries() ?? []) {
    for (const { name: peer, value } of peers.entries()) {
      const text = value.scalar();
      if (text !== undefined) {
        yield { cluster, peer, pair: firstPair(text.value), at: text.at, nextAt: null };
        continue;
      }
      const [key, next] = [value.at('key').orDefault(''), value.at('next')];
      const nextKey = next.at('key').scalar();
      const pair = {
        key: key.value,
        generation: value.at('generation').orDefault(1).value,
        since: value.at('since').scalar()?.value ?? null,
        next: nextKey === undefined ? null : { key: nextKey.value, since: next.at('since').scalar()?.value ?? null },
      };
      yield { cluster, peer, pair, at: key.at, nextAt: nextKey?.at ?? null };
    }
  }
}
