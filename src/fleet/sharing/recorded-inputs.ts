import { decodeBase64, textOfBase64 } from '../../base/core/encodings.ts';
import { UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { oncePer } from '../../base/core/once.ts';
import type { Located } from '../../base/source/source.ts';
import { type PublicKey, readPublicKey } from '../certificates/authentication-key.ts';
import { type Certificate, certificatesIn } from '../certificates/certificate.ts';
import { type ReadRequest, readRequest } from '../certificates/certificate-request.ts';
import type { Declaration } from '../topology/declaration.ts';
import type { IdentitiesDocument, KeysDocument } from '../topology/parse-recorded.ts';
import type { AuthenticationKey, Identity } from './shared-model.ts';

/** The inputs about sharing: the topology and the files beside it. */
export interface SharingInputs {
  readonly declaration: Declaration;
  readonly keys: KeysDocument | undefined;
  readonly identities: IdentitiesDocument | undefined;
  /** True when there is a lock: the fleet was compiled before. */
  readonly wasCompiled?: boolean;
  /** Consumers whose keys exist and only the keys file has lost them, which is reported elsewhere. */
  readonly lostKeys?: ReadonlySet<string>;
}

/** The authentication key of each consumer in the keys file; `unknown` for a key that the file does not contain. */
export type RecordedAuthentication = ReadonlyMap<string, RecordedKey | typeof UNKNOWN_KEY>;

/** Everything that the keys file contains about one consumer. */
export interface RecordedKey {
  readonly key: AuthenticationKey;
  /** Certificate requests by slice, base64 of the PEM. */
  readonly slices: ReadonlyMap<string, string>;
  /** Providers with a nonce of their own, signed by the same key. */
  readonly providers?: ReadonlyMap<string, RecordedNonce>;
}

type RecordedNonce = Pick<AuthenticationKey, 'nonce' | 'signature'>;

/** Reads the authentication keys by consumer. The rules check signatures and requests. */
export function readAuthentication(keys: KeysDocument | undefined): RecordedAuthentication {
  const consumers = keys?.reading.at('authentication').entries() ?? [];
  return new Map(
    consumers.map(({ name, value }): [string, RecordedKey | typeof UNKNOWN_KEY] => {
      if (value.scalar() !== undefined) return [name.value, UNKNOWN_KEY];
      const providers = value
        .at('providers')
        .entries()
        .map(({ name: provider, value: own }): [string, RecordedNonce] => [
          provider.value,
          { nonce: own.at('nonce').orDefault('').value, signature: own.at('signature').orDefault('').value },
        ]);
      return [
        name.value,
        {
          key: {
            publicKey: value.at('publicKey').orDefault('').value,
            nonce: value.at('nonce').orDefault('').value,
            signature: value.at('signature').orDefault('').value,
            request: value.at('request').orDefault('').value,
          },
          slices: new Map(Object.entries(value.at('slices').textMap())),
          ...(providers.length === 0 ? {} : { providers: new Map(providers) }),
        },
      ];
    }),
  );
}

/** The providers' answers, by consumer, then by provider. */
export type RecordedIdentities = ReadonlyMap<string, ReadonlyMap<string, Identity>>;

/** Reads the identities file. The rules check the certificates. */
export function readIdentities(document: IdentitiesDocument | undefined): RecordedIdentities {
  const consumers = document?.reading.at('identities').entries() ?? [];
  return new Map(
    consumers.map(({ name, value }) => [
      name.value,
      new Map(
        value.entries().map(({ name: provider, value: answer }): [string, Identity] => [
          provider.value,
          {
            apiServer: answer.at('apiServer').orDefault('').value,
            ca: answer.at('ca').scalar()?.value ?? null,
            certificate: answer.at('certificate').orDefault('').value,
            proxyURL: answer.at('proxyURL').scalar()?.value ?? null,
          },
        ]),
      ),
    ]),
  );
}

/** The answer of one provider for one consumer in the identities file, with the places of the texts. */
interface RecordedAnswer {
  readonly consumer: string;
  readonly provider: string;
  readonly text: Located<string>;
  /** `undefined` if the text is no certificate. */
  readonly certificate: Certificate | undefined;
  /** `null` when the system's authorities are trusted; empty if the text contains no certificate. */
  readonly authorities: readonly Certificate[] | null;
}

/** In the order of the file. */
export const recordedAnswers = ({ identities }: SharingInputs): readonly RecordedAnswer[] =>
  identities === undefined ? [] : answersIn(identities);

/** Several rules read the answers of one file, and certificates take time. */
const answersIn = oncePer(({ reading }: IdentitiesDocument): readonly RecordedAnswer[] =>
  reading
    .at('identities')
    .entries()
    .flatMap(({ name: consumer, value: providers }) =>
      providers.entries().map(({ name: provider, value }) => {
        const text = value.at('certificate').orDefault('');
        const ca = value.at('ca').scalar();
        return {
          consumer: consumer.value,
          provider: provider.value,
          text,
          certificate: certificatesIn(text.value)[0],
          authorities: ca === undefined ? null : certificatesIn(ca.value),
        };
      }),
    ),
);

/** The authentication entry of one cluster in the keys file, with the places of the texts. */
interface RecordedEntry {
  readonly cluster: Located<string>;
  readonly publicKey: Located<string>;
  /** `undefined` if the text is no key. */
  readonly key: PublicKey | undefined;
  /** The nonce of most providers first, followed by those of single providers. */
  readonly signed: readonly SignedText[];
  /** Certificate requests; that of the cluster itself comes first. */
  readonly requests: readonly RecordedRequest[];
}

interface SignedText {
  /** The provider; `null` for the nonce of every provider without one of its own. */
  readonly provider: string | null;
  readonly nonce: Located<string>;
  readonly signature: Located<string>;
}

interface RecordedRequest {
  /** The slice; `null` for the request of the cluster itself. */
  readonly slice: string | null;
  /** Base64 of the PEM. */
  readonly text: Located<string>;
  readonly read: ReadRequest;
}

/** In the order of the file, without keys that are not known here. Rules check every entry, also of a cluster that borrows nothing. */
export const recordedEntries = ({ keys }: SharingInputs): readonly RecordedEntry[] =>
  keys === undefined ? [] : entriesIn(keys);

/** Several rules read the entries of one file, and keys and signatures take time. */
const entriesIn = oncePer(({ reading }: KeysDocument): readonly RecordedEntry[] =>
  reading
    .at('authentication')
    .entries()
    .filter(({ value }) => value.scalar() === undefined)
    .map(({ name, value }) => {
      const publicKey = value.at('publicKey').orDefault('');
      const slices = [...value.at('slices').scalars()];
      return {
        cluster: name,
        publicKey,
        key: keyIn(publicKey.value),
        signed: [
          { provider: null, nonce: value.at('nonce').orDefault(''), signature: value.at('signature').orDefault('') },
          ...value
            .at('providers')
            .entries()
            .map(({ name: provider, value: own }) => ({
              provider: provider.value,
              nonce: own.at('nonce').orDefault(''),
              signature: own.at('signature').orDefault(''),
            })),
        ],
        requests: [
          requestOf(null, value.at('request').orDefault('')),
          ...slices.map((it) => requestOf(it.name.value, it.value)),
        ],
      };
    }),
);

/** Reads a request, whose text has only ASCII characters; other bytes are no request. */
function requestOf(slice: string | null, text: Located<string>): RecordedRequest {
  return { slice, text, read: readRequest(textOfBase64(text.value)) };
}

/** Reads a key from canonical base64, the only form that Kubernetes writes. */
function keyIn(text: string): PublicKey | undefined {
  const { kind, bytes } = decodeBase64(text);
  return kind === 'bytes' ? readPublicKey(bytes) : undefined;
}

/** Hint for an entry that differs from the output of `weft keys generate`. */
export const restoreEntry = (cluster: string): string =>
  `restore it from git; if it was never right, remove the entry of "${cluster}" and run "weft keys generate --replace"`;
