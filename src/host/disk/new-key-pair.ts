import { generateKeyPairSync } from 'node:crypto';

/** Both halves in base64, as WireGuard writes them. */
interface NewKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** X25519 keys have 32 bytes, and both DER forms end in them. Source: RFC 8410, section 7 and 10.1. */
const KEY_BYTES = 32;

/** A fresh WireGuard pair. */
export function newKeyPair(): NewKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('x25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return { privateKey: lastBytes(privateKey), publicKey: lastBytes(publicKey) };
}

const lastBytes = (der: Buffer): string => der.subarray(der.length - KEY_BYTES).toString('base64');
