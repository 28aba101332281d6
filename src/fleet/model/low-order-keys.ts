/**
 * The points of low order of Curve25519, as 32 bytes in hexadecimal. A shared secret with one of them is zero whatever the
 * private key is, so WireGuard refuses the handshake. The highest bit is not part of the number.
 * Source: RFC 7748, section 6.1; D. J. Bernstein, https://cr.yp.to/ecdh.html#validate.
 */
const LOW_ORDER: readonly (readonly number[])[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map((it) => Array.from({ length: 32 }, (_, i) => Number.parseInt(it.slice(2 * i, 2 * i + 2), 16)));

/** The byte with the highest bit. */
const LAST = 31;

/** True for a public key with which no tunnel comes up. `bytes` are the 32 bytes of the key. */
export function isOfLowOrder(bytes: readonly number[]): boolean {
  return LOW_ORDER.some((point) => point.every((it, i) => it === (i === LAST ? (bytes[i] ?? 0) & 0x7f : bytes[i])));
}
