import { encodeBase64, utf8Bytes } from '../../base/core/encodings.ts';
import {
  type AuthenticationKeyPair,
  authenticationKeyOf,
  NONCE_BYTES,
  nonceOf,
  SEED_BYTES,
  signNonce,
} from '../certificates/authentication-key.ts';
import { controlPlaneSubject, makeRequest, type Subject, sliceSubject } from '../certificates/certificate-request.ts';
import type { RecordedKey } from '../sharing/recorded-inputs.ts';
import type { KeylessConsumer } from './missing-keys.ts';

/** Creates new random bytes at each call. */
export type RandomBytes = (count: number) => readonly number[];

interface MadeAuthentication {
  /** The key with its private half. */
  readonly key: AuthenticationKeyPair;
  /** The public part of the key. */
  readonly recorded: RecordedKey;
}

/** A new key of a consumer, and everything that must be signed with it: no later run has the private half. */
export function makeAuthentication(
  { cluster, slices }: Pick<KeylessConsumer, 'cluster' | 'slices'>,
  randomBytes: RandomBytes,
): MadeAuthentication {
  const key = newKey(randomBytes);
  const nonce = nonceOf(randomBytes(NONCE_BYTES));
  const requestFor = (subject: Subject): string => encodeBase64(utf8Bytes(makeRequest(key, subject)));
  const recorded = {
    key: {
      publicKey: encodeBase64(key.publicKey),
      nonce,
      signature: encodeBase64(signNonce(key, nonce)),
      request: requestFor(controlPlaneSubject(cluster)),
    },
    slices: new Map(slices.map((it) => [it, requestFor(sliceSubject(it, cluster))])),
  };
  return { key, recorded };
}

/**
 * Creates a key. Liqo 1.0.0 and 1.0.1 reject a key whose last byte is zero, one of 256. It is replaced for any release,
 * because a provider with one of those releases may be added later.
 */
function newKey(randomBytes: RandomBytes): AuthenticationKeyPair {
  for (;;) {
    const key = authenticationKeyOf(randomBytes(SEED_BYTES));
    if (key.publicKey.at(-1) !== 0) return key;
  }
}
