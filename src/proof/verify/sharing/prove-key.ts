import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { utf8Bytes } from '../../../base/core/utf8.ts';
import type { RecordedKey } from '../expected/expect-shares.ts';
import { bytesOfBase64, textOfBase64 } from './bytes-of-base64.ts';
import { hashOf } from './hash-of.ts';
import { keyOf, readPkcs10 } from './read-pkcs10.ts';

/** SubjectPublicKeyInfo of Ed25519 up to the key. Source: RFC 8410, section 4. */
const ED25519 = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/** The key of `Tenant.spec.publicKey`: 32 bytes, or a PEM. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export function publicKeyOf(text: string): KeyObject | undefined {
  const bytes = bytesOfBase64(text);
  if (bytes?.length === 32) return keyOf(Uint8Array.from([...ED25519, ...bytes]));
  try {
    return createPublicKey(textOfBase64(text) ?? '');
  } catch {
    return undefined;
  }
}

/** Whether the consumer signed the nonce: the text itself, not what it decodes to. */
export function isSignatureOf({ nonce, signature }: RecordedKey, key: KeyObject): boolean {
  const bytes = bytesOfBase64(signature);
  if (!bytes) return false;
  return verify(digestOf(key), Uint8Array.from(utf8Bytes(nonce)), key, bytes);
}

const digestOf = (key: KeyObject): string | null => (key.asymmetricKeyType === 'ed25519' ? null : 'sha256');

interface Subject {
  readonly organization: string;
  readonly commonName: string;
}

/** Whom the certificate of a consumer names. */
export const consumerSubject = (consumer: string): Subject => ({ organization: 'liqo.io', commonName: consumer });

/** Whom the certificate of a slice names; the group of the virtual kubelet's rights is the consumer. */
export const sliceSubject = (consumer: string, slice: string): Subject => ({
  organization: consumer,
  commonName: `${slice}-${hashOf(consumer)}`,
});

/** Why the provider refuses a request; `undefined` for one that it signs. */
export function requestProblem(request: string, key: KeyObject, subject: Subject): string | undefined {
  const read = readPkcs10(textOfBase64(request) ?? '');
  if (!read) return 'is no certificate request';
  if (read.subject.join(', ') !== textOf(subject)) return `is for "${read.subject.join(', ')}"`;
  if (!read.key.equals(key)) return 'is of another key';
  return read.isSigned ? undefined : 'is not signed by its key';
}

/**
 * Why a certificate is not that of the consumer; `undefined` for one that is. It may be of a former key: between a new key and
 * the answers to it every fleet is in that state, and the compiler warns of it.
 */
export function certificateProblem(certificate: string, subject: Subject): string | undefined {
  const read = readCertificate(textOfBase64(certificate) ?? '');
  if (!read) return 'is no certificate';
  const found = read.subject.split('\n').join(', ');
  return found === textOf(subject) ? undefined : `is for "${found}"`;
}

const textOf = ({ organization, commonName }: Subject): string => `O=${organization}, CN=${commonName}`;

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
