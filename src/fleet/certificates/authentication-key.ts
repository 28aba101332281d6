import { cryptography } from '#cryptography';
import { encodeBase64, textOfBytes, utf8Bytes } from '../../base/core/encodings.ts';
import type { CurveName, VerificationKey } from '../../base/cryptography/cryptography.ts';
import { type Bytes, bytesOf, bytesOfHex, hexOf, pemBlocksIn, printPem, typed } from './bytes.ts';
import { type DerValue, partsOf, readDer, TAG } from './der.ts';

/** The bytes before the 32 bytes of an Ed25519 seed in PKCS#8. Source: RFC 8410, section 10.3. */
const PKCS8_PREFIX = bytesOfHex('302e020100300506032b657004220420');
export const SEED_BYTES = 32;

/** The key pair with which a consumer authenticates, in the form of the Secret `authentication-keys`. */
export interface AuthenticationKeyPair {
  readonly seed: Bytes;
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
  /** The 32 bytes of the public half. */
  readonly publicKey: Bytes;
}

/** The Ed25519 key of a seed of 32 bytes. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go. */
export function authenticationKeyOf(seed: Bytes): AuthenticationKeyPair {
  const publicKey = bytesOf(cryptography.ed25519PublicKey(typed(seed)));
  return {
    seed,
    privateKeyPem: printPem('PRIVATE KEY', [...PKCS8_PREFIX, ...seed]),
    publicKeyPem: printPem('PUBLIC KEY', spkiOfRaw(publicKey)),
    publicKey,
  };
}

export const signBytes = ({ seed }: AuthenticationKeyPair, bytes: Bytes): Bytes =>
  bytesOf(cryptography.signEd25519(typed(seed), typed(bytes)));

/**
 * The signature of a nonce. The text is signed, not its decoded bytes: Liqo reads `data.nonce` of the Secret and signs
 * that. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go (SignNonce).
 */
export const signNonce = (key: AuthenticationKeyPair, nonce: string): Bytes => signBytes(key, utf8Bytes(nonce));

export const NONCE_BYTES = 64;

/**
 * The text of a nonce: base64 of 64 random bytes.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/noncecreator-controller (generateNonce).
 */
export const nonceOf = (random: Bytes): string => encodeBase64(random);

interface SignedNonce {
  readonly publicKey: PublicKey;
  /** The text of the nonce. */
  readonly nonce: string;
  readonly signature: Bytes;
}

/**
 * The provider's result for this signature: Ed25519, or PKCS#1 v1.5 over SHA-256 for the RSA keys that Liqo creates in
 * its TLS compatibility mode. `unsupported` for elliptic curves, whose signatures weft does not create and has not been
 * tested with.
 */
export function verifyNonce({ publicKey, nonce, signature }: SignedNonce): 'valid' | 'wrong' | 'unsupported' {
  const { key } = publicKey;
  if (key.algorithm === 'ec') return 'unsupported';
  const signed = { key, hash: 'sha256', bytes: typed(utf8Bytes(nonce)), signature: typed(signature) } as const;
  return cryptography.isSignature(signed) ? 'valid' : 'wrong';
}

/** The bytes before the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo. Source: RFC 8410, section 10.1. */
const ED25519_PREFIX = bytesOfHex('302a300506032b6570032100');
const RAW_BYTES = 32;

/** The public half of a key that a consumer authenticates with, or of the key of a CA. */
export interface PublicKey {
  readonly key: VerificationKey;
  /** The form of the key in a Tenant: 32 bytes, or PEM. */
  readonly form: 'raw' | 'pem';
  readonly pem: string;
  /** SubjectPublicKeyInfo in DER: two keys are equal if these bytes are equal. */
  readonly spki: Bytes;
}

/** The 32 bytes of an Ed25519 key as SubjectPublicKeyInfo. */
export const spkiOfRaw = (raw: Bytes): Bytes => [...ED25519_PREFIX, ...raw];

/**
 * The key in `spec.publicKey` of a Tenant, after base64 is decoded; `undefined` for a form that no release accepts.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export function readPublicKey(bytes: Bytes): PublicKey | undefined {
  if (bytes.length === RAW_BYTES) return keyOfSpki(spkiOfRaw(bytes), 'raw');
  const [block, ...more] = pemBlocksIn(textOfBytes(bytes));
  if (block?.label !== 'PUBLIC KEY' || block.bytes === undefined || more.length > 0) return undefined;
  return keyOfSpki(block.bytes, 'pem');
}

/** The key of a request or certificate; `undefined` for bytes that are not SubjectPublicKeyInfo, and for other algorithms. */
export const readSpki = (spki: Bytes): PublicKey | undefined => keyOfSpki(spki, 'pem');

function keyOfSpki(spki: Bytes, form: PublicKey['form']): PublicKey | undefined {
  const [algorithm, bits, ...more] = partsOf(readDer(spki), TAG.sequence) ?? [];
  const [unusedBits, ...content] = bits?.content ?? [];
  if (algorithm === undefined || bits?.tag !== TAG.bitString || unusedBits !== 0 || more.length > 0) return undefined;
  const key = keyOf(hexOf(algorithm.whole), content);
  return key && { key, form, pem: printPem('PUBLIC KEY', spki), spki };
}

/** Curves by the bytes of an AlgorithmIdentifier, with the bytes of a coordinate. Source: RFC 5480, section 2.1.1. */
const CURVES: ReadonlyMap<string, readonly [CurveName, size: number]> = new Map([
  ['301306072a8648ce3d020106082a8648ce3d030107', ['P-256', 32]],
  ['301006072a8648ce3d020106052b81040022', ['P-384', 48]],
  ['301006072a8648ce3d020106052b81040023', ['P-521', 66]],
]);

/** The first byte of a point with both coordinates, the only form that Go reads. Source: golang/go@go1.24 src/crypto/ecdsa. */
const UNCOMPRESSED = 0x04;

function keyOf(algorithm: string, content: Bytes): VerificationKey | undefined {
  // Source: RFC 8410, section 3; RFC 3279, section 2.3.1.
  if (algorithm === '300506032b6570')
    return content.length === RAW_BYTES ? { algorithm: 'ed25519', point: typed(content) } : undefined;
  if (algorithm === '300d06092a864886f70d0101010500') return rsaKeyOf(readDer(content));
  const [curve, size = 0] = CURVES.get(algorithm) ?? [];
  const [form, ...point] = content;
  if (curve === undefined || form !== UNCOMPRESSED || point.length !== 2 * size) return undefined;
  return { algorithm: 'ec', curve, x: typed(point.slice(0, size)), y: typed(point.slice(size)) };
}

function rsaKeyOf(value: DerValue | undefined): VerificationKey | undefined {
  const [modulus, exponent, ...more] = partsOf(value, TAG.sequence) ?? [];
  const [n, e] = [positiveNumber(modulus), positiveNumber(exponent)];
  return n && e && more.length === 0 ? { algorithm: 'rsa', modulus: n, exponent: e } : undefined;
}

/** The bytes of a positive integer without a leading zero; `undefined` for another value. Source: ITU-T X.690, section 8.3. */
function positiveNumber(value: DerValue | undefined): Uint8Array | undefined {
  const [first = 0x80, second = 0] = value?.content ?? [];
  if (value?.tag !== TAG.integer || first >= 0x80 || (first === 0 && second < 0x80)) return undefined;
  return typed(first === 0 ? value.content.slice(1) : value.content);
}

/** The 32 bytes of an Ed25519 key; `undefined` for another algorithm. */
export const rawOf = ({ key }: Pick<PublicKey, 'key'>): Bytes | undefined =>
  key.algorithm === 'ed25519' ? bytesOf(key.point) : undefined;
