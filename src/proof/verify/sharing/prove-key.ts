import { cryptography } from '#cryptography';
import { decodeBase64, encodeBase64, textOfBytes, utf8Bytes } from '../../../base/core/encodings.ts';
import type { VerificationKey } from '../../../base/cryptography/cryptography.ts';
import { hashOf, type RecordedKey } from '../expected/expect-shares.ts';

/** A public key with the text of its SubjectPublicKeyInfo in base64. */
export interface ProvenKey {
  readonly spki: string;
  readonly key: VerificationKey;
}

/** SubjectPublicKeyInfo of Ed25519 up to the key. Source: RFC 8410, section 4. */
const ED25519 = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/** The key of `Tenant.spec.publicKey`: 32 bytes, or a PEM. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export function publicKeyOf(text: string): ProvenKey | undefined {
  const bytes = bytesOfBase64(text);
  if (bytes?.length === 32) return keyOfSpki(Uint8Array.from([...ED25519, ...bytes]));
  const [whole, ...more] = tlvsIn(bytesInPem('PUBLIC KEY', textOfBase64(text) ?? ''));
  return whole && more.length === 0 ? keyOfSpki(whole.bytes) : undefined;
}

/** True when the consumer signed the nonce: the text itself, not its decoded bytes. */
export function isSignatureOf({ nonce, signature }: RecordedKey, { key }: ProvenKey): boolean {
  const bytes = bytesOfBase64(signature);
  return bytes !== undefined && isSigned(key, Uint8Array.from(utf8Bytes(nonce)), bytes);
}

/** Liqo signs with SHA-256; Ed25519 has a hash of its own. */
const isSigned = (key: VerificationKey, bytes: Uint8Array, signature: Uint8Array): boolean =>
  cryptography.isSignature({ key, hash: 'sha256', bytes, signature });

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
export function requestProblem(request: string, { spki }: ProvenKey, subject: Subject): string | undefined {
  const read = readPkcs10(textOfBase64(request) ?? '');
  if (!read) return 'is no certificate request';
  if (read.subject.join(', ') !== subjectText(subject)) return `is for "${read.subject.join(', ')}"`;
  if (read.key.spki !== spki) return 'is of another key';
  return read.isSigned ? undefined : 'is not signed by its key';
}

/**
 * The reason why a certificate does not belong to the consumer; `undefined` when it does. A certificate for a former
 * key is accepted: every fleet has some between a new key and the answers to it, and the compiler warns about them.
 */
export function certificateProblem(certificate: string, subject: Subject): string | undefined {
  const found = subjectOfCertificate(textOfBase64(certificate) ?? '')?.join(', ');
  if (found === undefined) return 'is no certificate';
  return found === subjectText(subject) ? undefined : `is for "${found}"`;
}

const subjectText = ({ organization, commonName }: Subject): string => `O=${organization}, CN=${commonName}`;

/** The subject of the first certificate of a text; `undefined` if there is none. Source: RFC 5280, section 4.1. */
function subjectOfCertificate(pem: string): readonly string[] | undefined {
  const [whole, ...after] = tlvsIn(bytesInPem('CERTIFICATE', pem));
  const [body, algorithm, signature, ...more] = partsOf(whole);
  const fields = partsOf(body);
  // Version 1 is omitted: the serial number comes first.
  const [serial, own, issuer, validity, subject, spki] = fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  const tags = [algorithm, signature, serial, own, issuer, validity, subject, spki].map((it) => it?.tag);
  const wanted = [SEQUENCE, BIT_STRING, INTEGER, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE];
  const isWhole = after.length + more.length === 0 && tags.join() === wanted.join();
  return subject && isWhole ? tlvsIn(subject.content).map(attributeOf) : undefined;
}

/** The parts of a certificate request that Liqo and Kubernetes read. */
interface Pkcs10 {
  /** Type and value of each part, in order: `O=liqo.io`. */
  readonly subject: readonly string[];
  readonly key: ProvenKey;
  /** True when the request is signed by its own key. */
  readonly isSigned: boolean;
}

/**
 * Reads a certificate request; `undefined` for a text that is none, or that contains more than one. Source: RFC 2986,
 * section 4; RFC 7468.
 */
function readPkcs10(pem: string): Pkcs10 | undefined {
  const isAlone = /^-----BEGIN [A-Z ]+-----\n[A-Za-z0-9+/=\n]+-----END [A-Z ]+-----\n$/.test(pem);
  const [whole, ...after] = tlvsIn(isAlone ? bytesInPem('CERTIFICATE REQUEST', pem) : NOTHING);
  const [body, algorithm, signature, ...more] = partsOf(whole);
  const [version, name, spki, attributes] = partsOf(body);
  const key = spki && keyOfSpki(spki.bytes);
  if (!body || !signature || !name || !key || after.length + more.length > 0) return undefined;
  const tags = [algorithm, signature, version, name, attributes].map((it) => it?.tag);
  if (tags.join() !== [SEQUENCE, BIT_STRING, INTEGER, SEQUENCE, ATTRIBUTES].join()) return undefined;
  return {
    subject: tlvsIn(name.content).map(attributeOf),
    key,
    isSigned: isSigned(key.key, body.bytes, bitsOf(signature)),
  };
}

const [INTEGER, BIT_STRING, OBJECT_ID, SEQUENCE, ATTRIBUTES, VERSION] = [0x02, 0x03, 0x06, 0x30, 0xa0, 0xa0];
const NOTHING = new Uint8Array();

const partsOf = (value: Tlv | undefined): readonly Tlv[] => (value?.tag === SEQUENCE ? tlvsIn(value.content) : []);

/** The first byte of a BIT STRING counts unused bits. */
const bitsOf = (value: Tlv): Uint8Array => value.content.subarray(1);

/** The bytes of the first block in PEM with this label; none for another text. Source: RFC 7468, section 3. */
function bytesInPem(label: string, pem: string): Uint8Array {
  const found = new RegExp(`-----BEGIN ${label}-----\\s([A-Za-z0-9+/=\\s]+)-----END ${label}-----`).exec(pem);
  return bytesOfBase64(found?.[1]?.replaceAll(/\s/g, '') ?? '') ?? NOTHING;
}

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

/** Bytes of 1.3.101.112, 1.2.840.113549.1.1.1 and 1.2.840.10045.2.1. Source: RFC 8410, 3279, 5480. */
const [ED25519_ID, RSA_ID, EC_ID] = ['43.101.112', '42.134.72.134.247.13.1.1.1', '42.134.72.206.61.2.1'];

/** Curves by the bytes of their identifiers. Source: RFC 5480, section 2.1.1.1. */
const CURVES: ReadonlyMap<string, 'P-256' | 'P-384' | 'P-521'> = new Map([
  ['42.134.72.206.61.3.1.7', 'P-256'],
  ['43.129.4.0.34', 'P-384'],
  ['43.129.4.0.35', 'P-521'],
]);

/** Reads a public key; `undefined` for a key that no cluster has. */
function keyOfSpki(spki: Uint8Array): ProvenKey | undefined {
  const [algorithm, bits] = partsOf(tlvsIn(spki)[0]);
  const [id, parameters] = partsOf(algorithm);
  if (id?.tag !== OBJECT_ID || bits?.tag !== BIT_STRING) return undefined;
  const key = verificationKeyOf(id.content.join('.'), parameters?.content.join('.') ?? '', bitsOf(bits));
  return key && { spki: encodeBase64([...spki]), key };
}

function verificationKeyOf(id: string, parameters: string, content: Uint8Array): VerificationKey | undefined {
  if (id === ED25519_ID && content.length === 32) return { algorithm: 'ed25519', point: content };
  const curve = CURVES.get(parameters);
  if (id === EC_ID && curve && content[0] === 4) {
    // Both coordinates follow a byte with the form of the point.
    const half = 1 + (content.length - 1) / 2;
    return { algorithm: 'ec', curve, x: content.slice(1, half), y: content.slice(half) };
  }
  const [modulus, exponent] = id === RSA_ID ? partsOf(tlvsIn(content)[0]) : [];
  return modulus && exponent && { algorithm: 'rsa', modulus: modulus.content, exponent: exponent.content };
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
