import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { decodeBase64, textOfBytes, utf8Bytes } from '../../../base/core/encodings.ts';
import { hashOf, type RecordedKey } from '../expected/expect-shares.ts';

/** SubjectPublicKeyInfo of Ed25519 up to the key. Source: RFC 8410, section 4. */
const ED25519 = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/** The key of `Tenant.spec.publicKey`: 32 bytes, or a PEM. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export function publicKeyOf(text: string): KeyObject | undefined {
  const bytes = bytesOfBase64(text);
  if (bytes?.length === 32) return keyOfSpki(Uint8Array.from([...ED25519, ...bytes]));
  try {
    return createPublicKey(textOfBase64(text) ?? '');
  } catch {
    return undefined;
  }
}

/** True when the consumer signed the nonce: the text itself, not its decoded bytes. */
export function isSignatureOf({ nonce, signature }: RecordedKey, key: KeyObject): boolean {
  const bytes = bytesOfBase64(signature);
  if (!bytes) return false;
  return verify(digestOf(key), Uint8Array.from(utf8Bytes(nonce)), key, bytes);
}

const digestOf = (key: KeyObject): string | null => (key.asymmetricKeyType === 'ed25519' ? null : 'sha256');

interface Subject {
  readonly organization: string;
  readonly commonName: string;
}

/** The subject of a consumer's certificate. */
export const consumerSubject = (consumer: string): Subject => ({ organization: 'liqo.io', commonName: consumer });

/** The subject of a slice's certificate; the group that has the virtual kubelet's rights is the consumer. */
export const sliceSubject = (consumer: string, slice: string): Subject => ({
  organization: consumer,
  commonName: `${slice}-${hashOf(consumer)}`,
});

/** The reason why the provider refuses a request; `undefined` for a request that it signs. */
export function requestProblem(request: string, key: KeyObject, subject: Subject): string | undefined {
  const read = readPkcs10(textOfBase64(request) ?? '');
  if (!read) return 'is no certificate request';
  if (read.subject.join(', ') !== subjectText(subject)) return `is for "${read.subject.join(', ')}"`;
  if (!read.key.equals(key)) return 'is of another key';
  return read.isSigned ? undefined : 'is not signed by its key';
}

/**
 * The reason why a certificate does not belong to the consumer; `undefined` when it does. A certificate for a former
 * key is accepted: every fleet has some between a new key and the answers to it, and the compiler warns about them.
 */
export function certificateProblem(certificate: string, subject: Subject): string | undefined {
  const read = readCertificate(textOfBase64(certificate) ?? '');
  if (!read) return 'is no certificate';
  const found = read.subject.split('\n').join(', ');
  return found === subjectText(subject) ? undefined : `is for "${found}"`;
}

const subjectText = ({ organization, commonName }: Subject): string => `O=${organization}, CN=${commonName}`;

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** The parts of a certificate request that Liqo and Kubernetes read. */
interface Pkcs10 {
  /** Type and value of each part, in order: `O=liqo.io`. */
  readonly subject: readonly string[];
  readonly key: KeyObject;
  /** True when the request is signed by its own key. */
  readonly isSigned: boolean;
}

/**
 * Reads a certificate request; `undefined` for a text that is none, or that contains more than one. Source: RFC 2986,
 * section 4; RFC 7468.
 */
function readPkcs10(pem: string): Pkcs10 | undefined {
  const [, text] =
    /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE REQUEST-----\n$/.exec(pem) ?? [];
  const [whole, ...after] = tlvsIn(bytesOfBase64(text?.replaceAll('\n', '') ?? '') ?? new Uint8Array());
  const [body, algorithm, signature, ...more] = partsOf(whole);
  const [version, name, spki, attributes] = partsOf(body);
  const key = spki && keyOfSpki(spki.bytes);
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
  return `${NAMES.get(oid) ?? oid}=${textOfBytes(value?.content ?? [])}`;
}

/** Bytes of 2.5.4.10 and 2.5.4.3. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['85.4.10', 'O'],
  ['85.4.3', 'CN'],
]);

/** Reads a public key; `undefined` for a key that OpenSSL does not support. */
function keyOfSpki(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki as Buffer, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** One value in DER: its tag, its content, and the bytes of both. */
interface Tlv {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Consecutive values; empty for bytes that are not DER. Source: ITU-T X.690, section 8.1. */
function tlvsIn(bytes: Uint8Array): readonly Tlv[] {
  const [tag, short = 0] = bytes;
  if (tag === undefined) return [];
  const more = short > 0x7f ? short - 0x80 : 0;
  let length = more === 0 ? short : 0;
  for (const digit of bytes.subarray(2, 2 + more)) length = length * 256 + digit;
  const start = 2 + more;
  if (start + length > bytes.length) return [];
  const first = { tag, content: bytes.subarray(start, start + length), bytes: bytes.subarray(0, start + length) };
  return [first, ...tlvsIn(bytes.subarray(start + length))];
}

/** Decodes base64; `undefined` for a text that no encoder writes. */
function bytesOfBase64(text: string): Uint8Array | undefined {
  const decoded = decodeBase64(text);
  return decoded.kind === 'bytes' ? Uint8Array.from(decoded.bytes) : undefined;
}

/** A base64 text as the text that it encodes. PEM is ASCII. */
export function textOfBase64(text: string): string | undefined {
  const bytes = bytesOfBase64(text);
  return bytes && textOfBytes(bytes);
}
