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
