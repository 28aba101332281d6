import { createPublicKey, type KeyObject } from 'node:crypto';
import { areEqual, type Bytes, bytesOf, bytesOfHex } from './bytes.ts';
import { pemBlocksIn, printPem } from './pem.ts';

/** What precedes the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo. Source: RFC 8410, section 10.1. */
const ED25519_PREFIX = bytesOfHex('302a300506032b6570032100');
const RAW_BYTES = 32;

/** The public half of a key that a consumer authenticates with. */
export interface PublicKey {
  readonly algorithm: 'ed25519' | 'rsa' | 'ec';
  /** How a Tenant contains it: 32 bytes, or PEM. */
  readonly form: 'raw' | 'pem';
  readonly pem: string;
  /** SubjectPublicKeyInfo in DER: two keys are one if these are equal. */
  readonly spki: Bytes;
}

/** The 32 bytes of an Ed25519 key as SubjectPublicKeyInfo. */
export const spkiOfRaw = (raw: Bytes): Bytes => [...ED25519_PREFIX, ...raw];

/**
 * The key in `spec.publicKey` of a Tenant, once its base64 is decoded; `undefined` for what no release accepts.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export function readPublicKey(bytes: Bytes): PublicKey | undefined {
  if (bytes.length === RAW_BYTES) return ofSpki(spkiOfRaw(bytes), 'raw');
  const text = bytes.map((it) => String.fromCharCode(it)).join('');
  const [block, ...more] = pemBlocksIn(text);
  if (block?.label !== 'PUBLIC KEY' || block.bytes === undefined || more.length > 0) return undefined;
  return ofSpki(block.bytes, 'pem');
}

/** The key of a request or certificate; `undefined` for bytes that are not SubjectPublicKeyInfo, and for other algorithms. */
export const readSpki = (spki: Bytes): PublicKey | undefined => ofSpki(spki, 'pem');

function ofSpki(spki: Bytes, form: PublicKey['form']): PublicKey | undefined {
  const pem = printPem('PUBLIC KEY', spki);
  // Any 32 bytes are a key of Ed25519 for OpenSSL, too, and asking it takes longer.
  const algorithm = isEd25519(spki) ? 'ed25519' : algorithmOf(pem);
  return algorithm && { algorithm, form, pem, spki };
}

const isEd25519 = (spki: Bytes): boolean =>
  spki.length === ED25519_PREFIX.length + RAW_BYTES && areEqual(spki.slice(0, ED25519_PREFIX.length), ED25519_PREFIX);

function algorithmOf(pem: string): PublicKey['algorithm'] | undefined {
  const type = keyObjectOf(pem)?.asymmetricKeyType;
  return type === 'rsa' || type === 'ec' ? type : undefined;
}

/** `undefined` if OpenSSL cannot read it. */
function keyObjectOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** The 32 bytes of an Ed25519 key; `undefined` for another algorithm. */
export const rawOf = ({ algorithm, spki }: Pick<PublicKey, 'algorithm' | 'spki'>): Bytes | undefined =>
  algorithm === 'ed25519' ? bytesOf(spki.slice(ED25519_PREFIX.length)) : undefined;
