import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { utf8Bytes } from '../../base/core/utf8.ts';
import { type Bytes, bytesOf, bytesOfHex, typed } from './bytes.ts';
import { printPem } from './pem.ts';

/** What precedes the 32 bytes of an Ed25519 seed in PKCS#8. Source: RFC 8410, section 10.3. */
const PKCS8_PREFIX = bytesOfHex('302e020100300506032b657004220420');
export const SEED_BYTES = 32;

/** The key pair that a consumer authenticates with, as the Secret `authentication-keys` contains it. */
export interface AuthenticationKey {
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
  /** The 32 bytes of the public half. */
  readonly publicKey: Bytes;
}

/** The Ed25519 key of a seed of 32 bytes. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go. */
export function authenticationKeyOf(seed: Bytes): AuthenticationKey {
  const privateKeyPem = printPem('PRIVATE KEY', [...PKCS8_PREFIX, ...seed]);
  const publicHalf = createPublicKey(createPrivateKey(privateKeyPem));
  const spki = bytesOf(publicHalf.export({ type: 'spki', format: 'der' }));
  return { privateKeyPem, publicKeyPem: printPem('PUBLIC KEY', spki), publicKey: spki.slice(-SEED_BYTES) };
}

/** Ed25519 has no randomness: the same key and bytes give the same 64 bytes. Source: RFC 8032, section 5.1.6. */
export const signBytes = ({ privateKeyPem }: AuthenticationKey, bytes: Bytes): Bytes =>
  bytesOf(sign(null, typed(bytes), createPrivateKey(privateKeyPem)));

/**
 * The signature of a nonce. The text is signed, not what it decodes to: Liqo reads `data.nonce` of the Secret and signs that.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go (SignNonce).
 */
export const signNonce = (key: AuthenticationKey, nonce: string): Bytes => signBytes(key, utf8Bytes(nonce));
