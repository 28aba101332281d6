/**
 * The functions of cryptography that weft needs. Node has them built in, other places get them from audited packages:
 * package.json, `imports`, chooses. They are synchronous and have no randomness.
 */
export interface Cryptography {
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  /** The 32 bytes of the public half of an Ed25519 seed. */
  readonly ed25519PublicKey: (seed: Uint8Array) => Uint8Array;
  /** Signs bytes; there is one signature by a key. Source: RFC 8032, section 5.1.6. */
  readonly signEd25519: (seed: Uint8Array, bytes: Uint8Array) => Uint8Array;
  /** True for the signature of these bytes; false also for a key that cannot exist. */
  readonly isSignature: (signed: SignedBytes) => boolean;
}

export interface SignedBytes {
  readonly key: VerificationKey;
  /** Ed25519 has a hash of its own. */
  readonly hash: HashName;
  readonly bytes: Uint8Array;
  /** PKCS#1 v1.5 for RSA, a sequence of two integers in DER for ECDSA. */
  readonly signature: Uint8Array;
}

export type HashName = 'sha256' | 'sha384' | 'sha512';

/** The numbers of a public key, each with its most significant byte first. */
export type VerificationKey =
  | { readonly algorithm: 'ed25519'; readonly point: Uint8Array }
  | { readonly algorithm: 'rsa'; readonly modulus: Uint8Array; readonly exponent: Uint8Array }
  /** `x` and `y` are as long as a number of the curve. */
  | { readonly algorithm: 'ec'; readonly curve: CurveName; readonly x: Uint8Array; readonly y: Uint8Array };

export type CurveName = 'P-256' | 'P-384' | 'P-521';

/**
 * The points of Ed25519 whose order is at most 8, in every encoding that is read as one of them, as hexadecimal digits. Source: RFC
 * 8032, section 5.1.3; RFC 7748, section 4.1.
 */
export const SMALL_ORDER: ReadonlySet<string> = new Set(
  [
    ['0100000000000000000000000000000000000000000000000000000000000000', '80'],
    ['ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'],
    ['0000000000000000000000000000000000000000000000000000000000000000', '80'],
    ['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', '85'],
    ['c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'fa'],
    ['eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'],
    ['edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'],
  ].flatMap(([point = '', negated = '']) => [point, `${point.slice(0, -2)}${negated}`]),
);

/**
 * True for a signature with a key or a commitment of small order: it may be valid for any text, so it proves nothing. Node 24 and later
 * refuse it, earlier releases do not.
 */
export const provesNothing = (key: Uint8Array, signature: Uint8Array): boolean =>
  [key, signature.slice(0, key.length)].some((it) => SMALL_ORDER.has(digitsOf(it)));

const digitsOf = (bytes: Uint8Array): string => Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('');
