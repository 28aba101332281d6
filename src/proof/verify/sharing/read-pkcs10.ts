import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { bytesOfBase64 } from './bytes-of-base64.ts';
import { type Tlv, tlvsIn } from './read-der.ts';

/** A certificate request, as far as Liqo and Kubernetes look at it. */
interface Pkcs10 {
  /** Type and value of each part, in order: `O=liqo.io`. */
  readonly subject: readonly string[];
  readonly key: KeyObject;
  /** Whether the request is signed by its own key. */
  readonly isSigned: boolean;
}

/** `undefined` for a text that is no request, or that contains more than one. Source: RFC 2986, section 4; RFC 7468. */
export function readPkcs10(pem: string): Pkcs10 | undefined {
  const [, text] =
    /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE REQUEST-----\n$/.exec(pem) ?? [];
  const [whole, ...after] = tlvsIn(bytesOfBase64(text?.replaceAll('\n', '') ?? '') ?? new Uint8Array());
  const [body, algorithm, signature, ...more] = partsOf(whole);
  const [version, name, spki, attributes] = partsOf(body);
  const key = spki && keyOf(spki.bytes);
  if (!body || !signature || !name || !key || after.length + more.length > 0) return undefined;
  const tags = [algorithm, signature, version, name, attributes].map((it) => it?.tag);
  if (tags.join() !== [SEQUENCE, BIT_STRING, INTEGER, SEQUENCE, ATTRIBUTES].join()) return undefined;
  return { subject: tlvsIn(name.content).map(attributeOf), key, isSigned: isSigned(body, key, signature) };
}

const [INTEGER, BIT_STRING, SEQUENCE, ATTRIBUTES] = [0x02, 0x03, 0x30, 0xa0];

const partsOf = (value: Tlv | undefined): readonly Tlv[] => (value?.tag === SEQUENCE ? tlvsIn(value.content) : []);

const isSigned = (body: Tlv, key: KeyObject, signature: Tlv): boolean =>
  // The first byte of a BIT STRING counts unused bits.
  verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', body.bytes, key, signature.content.subarray(1));

/** A SET with one SEQUENCE of type and value. */
function attributeOf(set: Tlv): string {
  const [pair] = tlvsIn(set.content);
  const [type, value] = pair ? tlvsIn(pair.content) : [];
  const oid = [...(type?.content ?? [])].join('.');
  return `${NAMES[oid] ?? oid}=${String.fromCharCode(...(value?.content ?? []))}`;
}

/** Bytes of 2.5.4.10 and 2.5.4.3. */
const NAMES: Readonly<Record<string, string>> = { '85.4.10': 'O', '85.4.3': 'CN' };

/** `undefined` for a key that OpenSSL does not know. */
export function keyOf(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki as Buffer, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
