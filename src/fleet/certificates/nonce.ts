import { verify } from 'node:crypto';
import { encodeBase64 } from '../../base/core/base64.ts';
import { utf8Bytes } from '../../base/core/utf8.ts';
import { type Bytes, typed } from './bytes.ts';
import type { PublicKey } from './public-key.ts';

export const NONCE_BYTES = 64;

/**
 * The text of a nonce: base64 of 64 random bytes.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/noncecreator-controller (generateNonce).
 */
export const nonceOf = (random: Bytes): string => encodeBase64(random);

interface SignedNonce {
  readonly publicKey: PublicKey;
  /** The text. */
  readonly nonce: string;
  readonly signature: Bytes;
}

/**
 * Whether the provider accepts this signature: Ed25519, or PKCS#1 v1.5 over SHA-256 for the RSA keys that Liqo makes in its TLS
 * compatibility mode. `unsupported` for elliptic curves, whose signatures weft neither makes nor has seen.
 */
export function verifyNonce({ publicKey, nonce, signature }: SignedNonce): 'valid' | 'wrong' | 'unsupported' {
  if (publicKey.algorithm === 'ec') return 'unsupported';
  const hash = publicKey.algorithm === 'rsa' ? 'sha256' : null;
  return verify(hash, typed(utf8Bytes(nonce)), publicKey.pem, typed(signature)) ? 'valid' : 'wrong';
}
