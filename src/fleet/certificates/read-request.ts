import { verify } from 'node:crypto';
import { type Bytes, hexOf, typed } from './bytes.ts';
import { type DerValue, partsOf, readDer, TAG } from './der.ts';
import { type Attribute, readName } from './distinguished-name.ts';
import { pemBlocksIn, printPem } from './pem.ts';
import { type PublicKey, readSpki } from './public-key.ts';

/** A PKCS#10 request that can be read. */
interface CertificateRequest {
  readonly subject: readonly Attribute[];
  readonly publicKey: PublicKey;
  /** Whether the key of the request made its signature. Liqo does not look at that, Kubernetes does. */
  readonly isSigned: boolean;
  /** What is signed. */
  readonly body: Bytes;
}

/** Why a text is no request. */
export type UnreadableRequest =
  /** No block of PEM. */
  | 'not-pem'
  /** A block of something else, for instance a private key. */
  | 'other-block'
  /** More than the block: Liqo refuses what follows it, and weft other line lengths too. */
  | 'not-alone'
  /** The bytes in the block are not PKCS#10 in DER, or the key is of an algorithm that Liqo does not use. */
  | 'not-pkcs10';

export type ReadRequest =
  | { readonly kind: 'request'; readonly request: CertificateRequest }
  | { readonly kind: 'unreadable'; readonly why: UnreadableRequest };

/** Reads a request in PEM, exactly as Go prints it. */
export function readRequest(pem: string): ReadRequest {
  const [block] = pemBlocksIn(pem);
  if (block?.bytes === undefined) return unreadable('not-pem');
  if (block.label !== 'CERTIFICATE REQUEST') return unreadable('other-block');
  if (printPem('CERTIFICATE REQUEST', block.bytes) !== pem) return unreadable('not-alone');
  const request = readPkcs10(block.bytes);
  return request === undefined ? unreadable('not-pkcs10') : { kind: 'request', request };
}

const unreadable = (why: UnreadableRequest): ReadRequest => ({ kind: 'unreadable', why });

/** Source: RFC 2986, section 4. */
function readPkcs10(bytes: Bytes): CertificateRequest | undefined {
  const [body, algorithm, signature, ...more] = partsOf(readDer(bytes), TAG.sequence) ?? [];
  const [version, name, spki, attributes, ...rest] = partsOf(body, TAG.sequence) ?? [];
  const subject = readName(name);
  const publicKey = spki && readSpki(spki.whole);
  if (!body || !algorithm || signature?.tag !== TAG.bitString || more.length > 0) return undefined;
  if (version?.tag !== TAG.integer || attributes?.tag !== TAG.attributes || rest.length > 0) return undefined;
  if (!subject || !publicKey) return undefined;
  return { subject, publicKey, isSigned: isSignedBy(publicKey, { body, algorithm, signature }), body: body.whole };
}

/** Hashes by the bytes of an AlgorithmIdentifier: Ed25519; RSA and ECDSA with SHA-256, 384, 512. Source: RFC 8410, 4055, 5758. */
const HASHES: ReadonlyMap<string, readonly [PublicKey['algorithm'], string | null]> = new Map([
  ['300506032b6570', ['ed25519', null]],
  ['300d06092a864886f70d01010b0500', ['rsa', 'sha256']],
  ['300d06092a864886f70d01010c0500', ['rsa', 'sha384']],
  ['300d06092a864886f70d01010d0500', ['rsa', 'sha512']],
  ['300a06082a8648ce3d040302', ['ec', 'sha256']],
  ['300a06082a8648ce3d040303', ['ec', 'sha384']],
  ['300a06082a8648ce3d040304', ['ec', 'sha512']],
]);

interface Signed {
  readonly body: DerValue;
  readonly algorithm: DerValue;
  readonly signature: DerValue;
}

function isSignedBy(publicKey: PublicKey, { body, algorithm, signature }: Signed): boolean {
  const [keys, hash] = HASHES.get(hexOf(algorithm.whole)) ?? [];
  const [unusedBits, ...bytes] = signature.content;
  if (keys !== publicKey.algorithm || hash === undefined || unusedBits !== 0) return false;
  return verify(hash, typed(body.whole), publicKey.pem, typed(bytes));
}
