import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { encodeBase64, textOfBytes, utf8Bytes } from '../../base/core/encodings.ts';
import { areEqual, type Bytes, bytesOf, bytesOfHex, pemBlocksIn, printPem, typed } from './bytes.ts';

/** The bytes before the 32 bytes of an Ed25519 seed in PKCS#8. Source: RFC 8410, section 10.3. */
const PKCS8_PREFIX = bytesOfHex('302e020100300506032b657004220420');
export const SEED_BYTES = 32;

/** The key pair with which a consumer authenticates, in the form of the Secret `authentication-keys`. */
export interface AuthenticationKeyPair {
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
  /** The 32 bytes of the public half. */
  readonly publicKey: Bytes;
}

/** The Ed25519 key of a seed of 32 bytes. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go. */
export function authenticationKeyOf(seed: Bytes): AuthenticationKeyPair {
  const privateKeyPem = printPem('PRIVATE KEY', [...PKCS8_PREFIX, ...seed]);
  const publicHalf = createPublicKey(createPrivateKey(privateKeyPem));
  const spki = bytesOf(publicHalf.export({ type: 'spki', format: 'der' }));
  return { privateKeyPem, publicKeyPem: printPem('PUBLIC KEY', spki), publicKey: spki.slice(-SEED_BYTES) };
}

/**
 * Signs bytes. Ed25519 has no randomness: the same key and bytes give the same 64 bytes. Source: RFC 8032, section
 * 5.1.6.
 */
export const signBytes = ({ privateKeyPem }: AuthenticationKeyPair, bytes: Bytes): Bytes =>
  bytesOf(sign(null, typed(bytes), createPrivateKey(privateKeyPem)));

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
  if (publicKey.algorithm === 'ec') return 'unsupported';
  const hash = publicKey.algorithm === 'rsa' ? 'sha256' : null;
  return verify(hash, typed(utf8Bytes(nonce)), publicKey.pem, typed(signature)) ? 'valid' : 'wrong';
}

/** The bytes before the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo. Source: RFC 8410, section 10.1. */
const ED25519_PREFIX = bytesOfHex('302a300506032b6570032100');
const RAW_BYTES = 32;

/** The public half of a key that a consumer authenticates with. */
export interface PublicKey {
  readonly algorithm: 'ed25519' | 'rsa' | 'ec';
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
  const pem = printPem('PUBLIC KEY', spki);
  // OpenSSL accepts any 32 bytes as a key of Ed25519, too, and calling it takes longer.
  const algorithm = isEd25519(spki) ? 'ed25519' : algorithmOf(pem);
  return algorithm && { algorithm, form, pem, spki };
}

const isEd25519 = (spki: Bytes): boolean =>
  spki.length === ED25519_PREFIX.length + RAW_BYTES && areEqual(spki.slice(0, ED25519_PREFIX.length), ED25519_PREFIX);

function algorithmOf(pem: string): PublicKey['algorithm'] | undefined {
  const type = keyObjectOf(pem)?.asymmetricKeyType;
  return type === 'rsa' || type === 'ec' ? type : undefined;
}

/** The key object; `undefined` if OpenSSL cannot read the key. */
function keyObjectOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** The 32 bytes of an Ed25519 key; `undefined` for another algorithm. */
export const rawOf = ({ algorithm, spki }: Pick<PublicKey, 'algorithm' | 'spki'>): Bytes | undefined =>
  algorithm === 'ed25519' ? bytesOf(spki.slice(ED25519_PREFIX.length)) : undefined;
