import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { type Cryptography, provesNothing, type VerificationKey } from './cryptography.ts';

/** The functions of Node, which are those of OpenSSL. */
export const cryptography: Cryptography = {
  sha256: (bytes) => Uint8Array.from(createHash('sha256').update(bytes).digest()),
  ed25519PublicKey: (seed) => {
    const spki = createPublicKey(privateKeyOf(seed)).export({ type: 'spki', format: 'der' });
    return Uint8Array.from(spki.subarray(-KEY_BYTES));
  },
  signEd25519: (seed, bytes) => Uint8Array.from(sign(null, bytes, privateKeyOf(seed))),
  isSignature: ({ key, hash, bytes, signature }) => {
    if (key.algorithm === 'ed25519' && provesNothing(key.point, signature)) return false;
    try {
      return verify(key.algorithm === 'ed25519' ? null : hash, bytes, publicKeyOf(key), signature);
    } catch {
      return false;
    }
  },
};

const KEY_BYTES = 32;

/** The bytes before the seed of an Ed25519 key in PKCS#8. Source: RFC 8410, section 10.3. */
const PKCS8_PREFIX = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from([...PKCS8_PREFIX, ...seed]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (key: VerificationKey): KeyObject => createPublicKey({ key: jwkOf(key), format: 'jwk' });

/** Source: RFC 7518, section 6; RFC 8037, section 2. */
function jwkOf(key: VerificationKey): JsonWebKey {
  switch (key.algorithm) {
    case 'ed25519':
      return { kty: 'OKP', crv: 'Ed25519', x: base64url(key.point) };
    case 'rsa':
      return { kty: 'RSA', n: base64url(key.modulus), e: base64url(key.exponent) };
    case 'ec':
      return { kty: 'EC', crv: key.curve, x: base64url(key.x), y: base64url(key.y) };
  }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
