import { cryptography } from '#cryptography';
import type { HashName, VerificationKey } from '../../base/cryptography/cryptography.ts';
import type { PublicKey } from './authentication-key.ts';
import { type Bytes, hexOf, typed } from './bytes.ts';
import { type DerValue, partsOf, TAG } from './der.ts';

/** A request or a certificate: a body with its signature. */
export interface Signed {
  readonly body: DerValue;
  /** The AlgorithmIdentifier of the signature. */
  readonly algorithm: DerValue;
  readonly signature: Bytes;
}

/** Source: RFC 2986, section 4.2; RFC 5280, section 4.1.1. */
export function readSigned(value: DerValue | undefined): Signed | undefined {
  const [body, algorithm, signature, ...more] = partsOf(value, TAG.sequence) ?? [];
  const [unusedBits, ...bytes] = signature?.content ?? [];
  if (!body || !algorithm || signature?.tag !== TAG.bitString || unusedBits !== 0) return undefined;
  return more.length === 0 ? { body, algorithm, signature: bytes } : undefined;
}

type SignatureAlgorithm = readonly [VerificationKey['algorithm'], HashName];

/** Algorithms by the bytes of an AlgorithmIdentifier: Ed25519; RSA and ECDSA with SHA-256, 384, 512. Source: RFC 8410, 4055, 5758. */
const ALGORITHMS: ReadonlyMap<string, SignatureAlgorithm> = new Map<string, SignatureAlgorithm>([
  // Ed25519 has a hash of its own.
  ['300506032b6570', ['ed25519', 'sha512']],
  ['300d06092a864886f70d01010b0500', ['rsa', 'sha256']],
  ['300d06092a864886f70d01010c0500', ['rsa', 'sha384']],
  ['300d06092a864886f70d01010d0500', ['rsa', 'sha512']],
  ['300a06082a8648ce3d040302', ['ec', 'sha256']],
  ['300a06082a8648ce3d040303', ['ec', 'sha384']],
  ['300a06082a8648ce3d040304', ['ec', 'sha512']],
]);

const algorithmOf = ({ algorithm }: Signed): SignatureAlgorithm | undefined => ALGORITHMS.get(hexOf(algorithm.whole));

/** True if a key of this algorithm makes such signatures. */
export const isSignatureBy = ({ key }: PublicKey, signed: Signed): boolean =>
  algorithmOf(signed)?.[0] === key.algorithm;

export function isSignedBy({ key }: PublicKey, signed: Signed): boolean {
  const [algorithm, hash] = algorithmOf(signed) ?? [];
  if (algorithm !== key.algorithm || hash === undefined) return false;
  return cryptography.isSignature({
    key,
    hash,
    bytes: typed(signed.body.whole),
    signature: typed(signed.signature),
  });
}
