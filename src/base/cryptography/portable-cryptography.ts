import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import {
  type Cryptography,
  type HashName,
  provesNothing,
  type SignedBytes,
  type VerificationKey,
} from './cryptography.ts';

/** These functions without Node, for pages, workers and other places that run JavaScript alone. */
export const cryptography: Cryptography = {
  sha256: (bytes) => sha256(bytes),
  ed25519PublicKey: (seed) => ed25519.getPublicKey(seed),
  signEd25519: (seed, bytes) => ed25519.sign(bytes, seed),
  isSignature: (signed) => {
    try {
      return isSignature(signed);
    } catch {
      return false;
    }
  },
};

function isSignature({ key, hash, bytes, signature }: SignedBytes): boolean {
  switch (key.algorithm) {
    case 'ed25519':
      return isEd25519Signature(key.point, bytes, signature);
    case 'rsa':
      return isRsaSignature(key, hash, HASHES[hash](bytes), signature);
    case 'ec': {
      const point = Uint8Array.from([UNCOMPRESSED, ...key.x, ...key.y]);
      // OpenSSL accepts both values of `s`, too.
      return CURVES[key.curve].verify(signature, HASHES[hash](bytes), point, {
        prehash: false,
        lowS: false,
        format: 'der',
      });
    }
  }
}

/**
 * Checks a signature as OpenSSL and Go do, without the cofactor: others, as the package itself, decide otherwise about keys and
 * signatures that were made for that. Source: openssl/openssl@openssl-3.0.0
 * crypto/ec/curve25519.c (ossl_ed25519_verify); RFC 8032, section 5.1.7.
 */
function isEd25519Signature(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const { Point } = ed25519;
  const [commitment, response] = [signature.slice(0, 32), integerOf(signature.slice(32).reverse())];
  if (signature.length !== 64 || response >= Point.Fn.ORDER || provesNothing(key, signature)) return false;
  const digest = sha512(Uint8Array.from([...commitment, ...key, ...bytes]));
  const challenge = integerOf(digest.reverse()) % Point.Fn.ORDER;
  const found = Point.BASE.multiplyUnsafe(response).subtract(Point.fromBytes(key, true).multiplyUnsafe(challenge));
  return found.toBytes().join() === commitment.join();
}

const HASHES = { sha256, sha384, sha512 };
const CURVES = { 'P-256': p256, 'P-384': p384, 'P-521': p521 };

/** The first byte of a point with both coordinates. Source: SEC 1, section 2.3.3. */
const UNCOMPRESSED = 0x04;

/** The bytes of a DigestInfo before the hash. Source: RFC 8017, section 9.2, note 1. */
const DIGEST_INFOS: Readonly<Record<HashName, readonly number[]>> = {
  sha256: digestInfo(1, 32),
  sha384: digestInfo(2, 48),
  sha512: digestInfo(3, 64),
};

/** The hashes are 2.16.840.1.101.3.4.2 and a number. */
function digestInfo(id: number, bytes: number): readonly number[] {
  const algorithm = [0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, id, 0x05, 0x00];
  return [0x30, algorithm.length + 2 + bytes, ...algorithm, 0x04, bytes];
}

/** Limits of OpenSSL: crypto/rsa/rsa_ossl.c (rsa_ossl_public_decrypt), include/openssl/rsa.h. */
const MOST_MODULUS_BITS = 16_384;
const MODULUS_BITS_WITH_ANY_EXPONENT = 3072;
const MOST_EXPONENT_BITS = 64;

/**
 * PKCS#1 v1.5: the signature to the power of the exponent is the padded hash. Nothing here is secret, so the time that
 * it takes may show every number. Source: RFC 8017, section 8.2.2.
 */
function isRsaSignature(
  key: Extract<VerificationKey, { readonly algorithm: 'rsa' }>,
  hash: HashName,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  const [modulus, exponent, number] = [integerOf(key.modulus), integerOf(key.exponent), integerOf(signature)];
  const bits = bitsOf(modulus);
  const size = Math.ceil(bits / 8);
  const isTooLong = bits > MODULUS_BITS_WITH_ANY_EXPONENT && bitsOf(exponent) > MOST_EXPONENT_BITS;
  if (bits > MOST_MODULUS_BITS || isTooLong || exponent >= modulus || modulus % 2n === 0n) return false;
  if (signature.length !== size || number >= modulus) return false;
  const info = [...DIGEST_INFOS[hash], ...digest];
  const padding = size - info.length - 3;
  if (padding < LEAST_PADDING) return false;
  const padded = [0x00, 0x01, ...new Array<number>(padding).fill(0xff), 0x00, ...info];
  return powerOf(number, exponent, modulus) === integerOf(padded);
}

/** Source: RFC 8017, section 9.2. */
const LEAST_PADDING = 8;

const integerOf = (bytes: Iterable<number>): bigint =>
  BigInt(`0x0${Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('')}`);

const bitsOf = (number: bigint): number => (number === 0n ? 0 : number.toString(2).length);

/** `base ** exponent % modulus`. */
function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let power = 1n;
  for (const bit of exponent.toString(2)) {
    power = (power * power) % modulus;
    if (bit === '1') power = (power * base) % modulus;
  }
  return power;
}
