import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CurveName,
  type HashName,
  type SignedBytes,
  SMALL_ORDER,
  type VerificationKey,
} from '../../../src/base/cryptography/cryptography.ts';
import { cryptography as node } from '../../../src/base/cryptography/node-cryptography.ts';
import { cryptography as portable } from '../../../src/base/cryptography/portable-cryptography.ts';
import { law } from '../../laws/law.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hashes = fc.constantFrom<HashName>('sha256', 'sha384', 'sha512');

/** The bits of a byte that are changed. */
const changes = fc.integer({ min: 1, max: 255 });

const RSA_BITS = [1024, 1031, 2048, 3072];
const CURVES: readonly CurveName[] = ['P-256', 'P-384', 'P-521'];

/** A few random pairs of each algorithm: making one of RSA takes longer than all that is done with it. */
const PAIRS: readonly (readonly [string, KeyObject])[] = [
  ['ed25519', generateKeyPairSync('ed25519').privateKey],
  ...RSA_BITS.map((bits) => [`rsa ${bits}`, generateKeyPairSync('rsa', { modulusLength: bits }).privateKey] as const),
  ['rsa 3', generateKeyPairSync('rsa', { modulusLength: 1024, publicExponent: 3 }).privateKey],
  ...CURVES.map((namedCurve) => [namedCurve, generateKeyPairSync('ec', { namedCurve }).privateKey] as const),
];

const fromBase64url = (text = ''): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64url'));

function keyOf(pair: KeyObject): VerificationKey {
  const { crv, x, y, n, e } = createPublicKey(pair).export({ format: 'jwk' });
  if (n !== undefined) return { algorithm: 'rsa', modulus: fromBase64url(n), exponent: fromBase64url(e) };
  if (y === undefined) return { algorithm: 'ed25519', point: fromBase64url(x) };
  return { algorithm: 'ec', curve: crv as CurveName, x: fromBase64url(x), y: fromBase64url(y) };
}

/** Both answers, which must be one. */
function answerOf(signed: SignedBytes): boolean {
  const answer = node.isSignature(signed);
  expect(portable.isSignature(signed)).toBe(answer);
  return answer;
}

const signatureOf = (pair: KeyObject, hash: HashName, message: Uint8Array): Uint8Array =>
  Uint8Array.from(sign(pair.asymmetricKeyType === 'ed25519' ? null : hash, message, pair));

describe('both implementations', () => {
  law(
    'hash alike',
    400,
    fc.property(bytes, (message) => {
      const hash = [...node.sha256(message)];
      expect([...portable.sha256(message)]).toEqual(hash);
      expect(Buffer.from(hash).toString('hex')).toBe(createHash('sha256').update(message).digest('hex'));
    }),
  );

  law(
    'make the same keys and signatures of a seed',
    200,
    fc.property(seeds, bytes, (seed, message) => {
      const key = [...node.ed25519PublicKey(seed)];
      const signature = [...node.signEd25519(seed, message)];
      expect([...portable.ed25519PublicKey(seed)]).toEqual(key);
      expect([...portable.signEd25519(seed, message)]).toEqual(signature);
      const point = Uint8Array.from(key);
      const signed: SignedBytes = {
        key: { algorithm: 'ed25519', point },
        hash: 'sha256',
        bytes: message,
        signature: Uint8Array.from(signature),
      };
      expect(answerOf(signed)).toBe(true);
    }),
  );

  describe.each(PAIRS)('with a key of %s', (_, pair) => {
    const key = keyOf(pair);
    law(
      'accept what it signed, and nothing else',
      60,
      fc.property(bytes, hashes, fc.nat(), changes, (message, hash, place, change) => {
        const signature = signatureOf(pair, hash, message);
        const signed: SignedBytes = { key, hash, bytes: message, signature };
        expect(answerOf(signed)).toBe(true);
        const at = place % signature.length;
        const broken = signature.map((it, i) => (i === at ? it ^ change : it));
        expect(answerOf({ ...signed, signature: broken })).toBe(false);
        expect(answerOf({ ...signed, bytes: Uint8Array.from([...message, 0]) })).toBe(false);
        for (const other of [
          signature.subarray(1),
          signature.subarray(0, -1),
          new Uint8Array(),
          Uint8Array.from([...signature, 0]),
          Uint8Array.from([0, ...signature]),
        ])
          expect(answerOf({ ...signed, signature: other })).toBe(false);
      }),
    );

    law(
      'refuse a key with another byte',
      60,
      fc.property(hashes, fc.nat(), changes, (hash, place, change) => {
        const message = Uint8Array.from([1, 2, 3]);
        const signature = signatureOf(pair, hash, message);
        const broken = (number: Uint8Array): Uint8Array =>
          number.map((it, i) => (i === place % number.length ? it ^ change : it));
        for (const other of changedKeys(key, broken))
          expect(answerOf({ key: other, hash, bytes: message, signature })).toBe(false);
      }),
    );

    it('refuse the signature of every other key', () => {
      const message = Uint8Array.from([1, 2, 3]);
      for (const [, other] of PAIRS.filter((it) => it[1] !== pair))
        expect(
          answerOf({ key, hash: 'sha256', bytes: message, signature: signatureOf(other, 'sha256', message) }),
        ).toBe(false);
    });
  });

  it.each<readonly [string, VerificationKey]>([
    ['a point of nothing but zeros', { algorithm: 'ec', curve: 'P-256', x: new Uint8Array(32), y: new Uint8Array(32) }],
    ['a point without coordinates', { algorithm: 'ec', curve: 'P-256', x: new Uint8Array(), y: new Uint8Array() }],
    ['a short key', { algorithm: 'ed25519', point: new Uint8Array(31) }],
    ['a key that is no point', { algorithm: 'ed25519', point: new Uint8Array(32).fill(2) }],
    ['a modulus of zero', { algorithm: 'rsa', modulus: Uint8Array.from([0]), exponent: Uint8Array.from([3]) }],
    ['an even modulus', { algorithm: 'rsa', modulus: new Uint8Array(128).fill(0xfe), exponent: Uint8Array.from([3]) }],
    [
      'an exponent of zero',
      { algorithm: 'rsa', modulus: new Uint8Array(128).fill(0xff), exponent: Uint8Array.from([0]) },
    ],
    ['a small modulus', { algorithm: 'rsa', modulus: new Uint8Array(16).fill(0xff), exponent: Uint8Array.from([3]) }],
    ['no modulus', { algorithm: 'rsa', modulus: new Uint8Array(), exponent: new Uint8Array() }],
    ['a huge modulus', { algorithm: 'rsa', modulus: new Uint8Array(2049).fill(0xff), exponent: Uint8Array.from([3]) }],
    [
      'a long exponent',
      { algorithm: 'rsa', modulus: new Uint8Array(512).fill(0xff), exponent: new Uint8Array(9).fill(0xff) },
    ],
  ])('refuse %s', (_, key) => {
    for (const size of [0, 16, 64, 128, 512, 2049])
      for (const digit of [0, 1, 0xff])
        expect(
          answerOf({ key, hash: 'sha256', bytes: Uint8Array.from([1]), signature: new Uint8Array(size).fill(digit) }),
        ).toBe(false);
  });
});

describe('keys and signatures of Ed25519 that were made to be judged differently', () => {
  const { Point } = ed25519;
  const pointOf = (bytes: Uint8Array) => Point.fromBytes(Uint8Array.from(bytes), true);
  const small = fc.constantFrom(...[...SMALL_ORDER].map((it) => Uint8Array.from(Buffer.from(it, 'hex'))));
  const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const littleEndian = (number: bigint): Uint8Array =>
    Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
  const accepted = { one: 0, other: 0 };

  law(
    'are judged alike',
    2000,
    fc.property(small, small, small, seeds, bytes, fc.boolean(), (of, inKey, inCommitment, seed, message, isSmall) => {
      // A key and a commitment that are only of small order, or that have a part of small order.
      const secret = numberOf(seed) % Point.Fn.ORDER;
      const nonce = numberOf(sha256(seed)) % Point.Fn.ORDER;
      const key = isSmall ? of : Point.BASE.multiplyUnsafe(secret).add(pointOf(inKey)).toBytes();
      const commitment = isSmall ? inCommitment : Point.BASE.multiplyUnsafe(nonce).add(pointOf(inCommitment)).toBytes();
      const digest = createHash('sha512').update(commitment).update(key).update(message).digest();
      const challenge = numberOf(Uint8Array.from(digest).reverse()) % Point.Fn.ORDER;
      const response = isSmall ? 0n : (nonce + challenge * secret) % Point.Fn.ORDER;
      const point = Uint8Array.from(key);
      for (const shift of [0n, Point.Fn.ORDER]) {
        const signature = Uint8Array.from([...commitment, ...littleEndian(response + shift)]);
        const signed: SignedBytes = { key: { algorithm: 'ed25519', point }, hash: 'sha512', bytes: message, signature };
        accepted[answerOf(signed) ? 'one' : 'other']++;
      }
    }),
  );

  it('have every point of small order in the list, and no other', () => {
    const points = [...SMALL_ORDER].map((it) => pointOf(Buffer.from(it, 'hex')));
    expect(points.every((it) => it.isSmallOrder())).toBe(true);
    expect(new Set(points.map((it) => it.toHex())).size).toBe(8);
  });

  it('are refused where the key or the commitment is of small order', () => {
    const zero = new Uint8Array(32);
    for (const it of SMALL_ORDER) {
      const point = Uint8Array.from(Buffer.from(it, 'hex'));
      for (let text = 0; text < 16; text++) {
        const bytes = Uint8Array.from([text]);
        const signature = Uint8Array.from([...point, ...zero]);
        expect(answerOf({ key: { algorithm: 'ed25519', point }, hash: 'sha512', bytes, signature })).toBe(false);
      }
    }
  });

  it('are sometimes valid', () => {
    expect(accepted.one).toBeGreaterThan(0);
    expect(accepted.other).toBeGreaterThan(0);
  });
});

function changedKeys(key: VerificationKey, changed: (number: Uint8Array) => Uint8Array): readonly VerificationKey[] {
  switch (key.algorithm) {
    case 'ed25519':
      return [{ ...key, point: changed(key.point) }];
    case 'rsa':
      return [
        { ...key, modulus: changed(key.modulus) },
        { ...key, exponent: changed(key.exponent) },
      ];
    case 'ec':
      return [
        { ...key, x: changed(key.x) },
        { ...key, y: changed(key.y) },
      ];
  }
}
