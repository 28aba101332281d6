import { type AuthenticationKeyPair, type PublicKey, readSpki, signBytes, spkiOfRaw } from './authentication-key.ts';
import { areEqual, type Bytes, bytesOfHex, pemBlocksIn, printPem } from './bytes.ts';
import { partsOf, printDer, readDer, TAG } from './der.ts';
import { type Attribute, isAttribute, printName, readName, sliceUser } from './distinguished-name.ts';
import { isSignedBy, readSigned } from './signed.ts';

/** A PKCS#10 request that can be read. */
interface CertificateRequest {
  readonly subject: readonly Attribute[];
  readonly publicKey: PublicKey;
  /** True when the request is signed by its own key. Liqo does not check that; Kubernetes does. */
  readonly isSigned: boolean;
  /** The signed part. */
  readonly body: Bytes;
}

/** The reason why a text is no request. */
export type UnreadableRequest =
  /** The text has no PEM block. */
  | 'not-pem'
  /** The block contains something else, for instance a private key. */
  | 'other-block'
  /** The text contains more than the block: Liqo rejects text after it, and weft also rejects other line lengths. */
  | 'not-alone'
  /** The bytes in the block are not PKCS#10 in DER, or the key is of an algorithm that Liqo does not use. */
  | 'not-pkcs10';

export type ReadRequest =
  | { readonly kind: 'request'; readonly request: CertificateRequest }
  | { readonly kind: 'unreadable'; readonly why: UnreadableRequest };

/** Reads a request in PEM, exactly as Go prints it. */
export function readRequest(pem: string): ReadRequest {
  const [block] = pemBlocksIn(pem);
  if (block?.bytes === undefined) return unreadableRequest('not-pem');
  if (block.label !== 'CERTIFICATE REQUEST') return unreadableRequest('other-block');
  if (printPem('CERTIFICATE REQUEST', block.bytes) !== pem) return unreadableRequest('not-alone');
  const request = readPkcs10(block.bytes);
  return request === undefined ? unreadableRequest('not-pkcs10') : { kind: 'request', request };
}

const unreadableRequest = (why: UnreadableRequest): ReadRequest => ({ kind: 'unreadable', why });

/** Reads a request in DER. Source: RFC 2986, section 4. */
function readPkcs10(bytes: Bytes): CertificateRequest | undefined {
  const signed = readSigned(readDer(bytes));
  const [version, name, spki, attributes, ...rest] = partsOf(signed?.body, TAG.sequence) ?? [];
  const subject = readName(name);
  const publicKey = spki && readSpki(spki.whole);
  if (version?.tag !== TAG.integer || attributes?.tag !== TAG.attributes || rest.length > 0) return undefined;
  if (!signed || !subject || !publicKey) return undefined;
  return { subject, publicKey, isSigned: isSignedBy(publicKey, signed), body: signed.body.whole };
}

interface ExpectedRequest {
  /** The request in PEM. */
  readonly request: string;
  readonly subject: Subject;
  /** SubjectPublicKeyInfo of the consumer's key. */
  readonly spki: Bytes;
}

/** The fault of a request, for a message of the caller. */
export type RequestFault =
  | { readonly kind: 'unreadable'; readonly why: UnreadableRequest }
  /** Another name, or more than the two attributes: Kubernetes creates a group for every organization. */
  | { readonly kind: 'other-subject'; readonly found: readonly Attribute[] }
  | { readonly kind: 'other-key' }
  | { readonly kind: 'not-signed' }
  /** Equal names in another encoding, or with requested extensions: Liqo creates other bytes. */
  | { readonly kind: 'other-bytes' };

/**
 * The first difference from the request that Liqo creates with this key for this subject; `undefined` if there is none.
 */
export const checkRequest = ({ request, ...expected }: ExpectedRequest): RequestFault | undefined =>
  faultOf(readRequest(request), expected);

/** `checkRequest` for a request that was already read. */
export function faultOf(
  read: ReadRequest,
  { subject, spki }: Omit<ExpectedRequest, 'request'>,
): RequestFault | undefined {
  if (read.kind === 'unreadable') return read;
  const { request: found } = read;
  const [first, second, ...more] = found.subject;
  const isFor =
    isAttribute(first, 'O', subject.organization) && isAttribute(second, 'CN', subject.commonName) && more.length === 0;
  if (!isFor) return { kind: 'other-subject', found: found.subject };
  if (!areEqual(found.publicKey.spki, spki)) return { kind: 'other-key' };
  if (!areEqual(found.body, requestBody(subject, spki))) return { kind: 'other-bytes' };
  return found.isSigned ? undefined : { kind: 'not-signed' };
}

/** Ed25519, 1.3.101.112, without parameters. Source: RFC 8410, section 3. */
const ED25519 = printDer(TAG.sequence, printDer(TAG.objectId, bytesOfHex('2b6570')));
/** A bit string begins with the number of unused bits at its end. */
const NO_UNUSED_BITS = 0;

/**
 * A PKCS#10 request in PEM, as Liqo creates it with the same key. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/csr.go.
 */
export function makeRequest(key: AuthenticationKeyPair, subject: Subject): string {
  const body = requestBody(subject, spkiOfRaw(key.publicKey));
  const signature = printDer(TAG.bitString, [NO_UNUSED_BITS], signBytes(key, body));
  return printPem('CERTIFICATE REQUEST', printDer(TAG.sequence, body, ED25519, signature));
}

/** The subject of a certificate: Kubernetes uses the organization as group, and the common name as user. */
export interface Subject {
  readonly organization: string;
  readonly commonName: string;
}

/** Subject of the certificate that a consumer's control plane uses. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export const controlPlaneSubject = (consumer: string): Subject => ({ organization: 'liqo.io', commonName: consumer });

/** Subject of the certificate that the virtual kubelet of a slice uses. Source: as for `controlPlaneSubject`. */
export const sliceSubject = (slice: string, consumer: string): Subject => ({
  organization: consumer,
  commonName: sliceUser(slice, consumer),
});

/** The only existing version, and no attributes. Source: RFC 2986, section 4.1. */
const REQUEST_VERSION = printDer(TAG.integer, [0]);
const NO_ATTRIBUTES = printDer(TAG.attributes);

/** The signed part of a PKCS#10 request, byte for byte as Liqo writes it. */
export function requestBody({ organization, commonName }: Subject, spki: Bytes): Bytes {
  const name = printName([
    { type: 'O', value: organization },
    { type: 'CN', value: commonName },
  ]);
  return printDer(TAG.sequence, REQUEST_VERSION, name, spki, NO_ATTRIBUTES);
}
