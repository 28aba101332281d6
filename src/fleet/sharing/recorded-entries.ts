import { decodeBase64, textOfBase64 } from '../../base/core/encodings.ts';
import { oncePer } from '../../base/core/once.ts';
import type { Located } from '../../base/source/source.ts';
import { type PublicKey, readPublicKey } from '../certificates/authentication-key.ts';
import { type ReadRequest, readRequest } from '../certificates/certificate-request.ts';
import type { KeysDocument } from '../topology/parse-keys.ts';
import type { SharingInputs } from './recorded-inputs.ts';

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
