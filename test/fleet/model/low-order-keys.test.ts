import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isOfLowOrder } from '../../../src/fleet/model/read-keys.ts';

const HEX = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];
const bytesOf = (hex: string): readonly number[] => [...Buffer.from(hex, 'hex')];
const withHighestBit = (bytes: readonly number[]): readonly number[] => [
  ...bytes.slice(0, 31),
  (bytes[31] ?? 0) | 0x80,
];

/** DER of an X25519 public key before its 32 bytes. Source: RFC 8410, section 4. */
const SPKI = Buffer.from('302a300506032b656e032100', 'hex');

/** The result of X25519 itself: OpenSSL refuses a shared secret of zeros, as RFC 7748 6.1 advises. */
function hasSharedSecret(bytes: readonly number[]): boolean {
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(bytes)]), format: 'der', type: 'spki' });
  const { privateKey } = generateKeyPairSync('x25519');
  try {
    return diffieHellman({
      privateKey: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
      publicKey,
    }).some((it) => it !== 0);
  } catch {
    return false;
  }
}

describe('isOfLowOrder', () => {
  it.each(HEX)('%s, with and without the highest bit, gives no shared secret', (hex) => {
    for (const bytes of [bytesOf(hex), withHighestBit(bytesOf(hex))]) {
      expect(isOfLowOrder(bytes)).toBe(true);
      expect(hasSharedSecret(bytes)).toBe(false);
    }
  });

  it('is false for keys that WireGuard accepts, also for those just beside', () => {
    const { publicKey } = generateKeyPairSync('x25519');
    const fresh = [...publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)];
    for (const bytes of [fresh, bytesOf('02'.padEnd(64, '0')), bytesOf(`eb${'f'.repeat(60)}7f`)]) {
      expect(isOfLowOrder(bytes)).toBe(false);
      expect(hasSharedSecret(bytes)).toBe(true);
    }
  });
});
