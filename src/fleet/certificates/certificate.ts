import { X509Certificate } from 'node:crypto';
import { textOfBase64 } from '../../base/core/encodings.ts';
import { type PublicKey, readSpki } from './authentication-key.ts';
import { bytesOf, pemBlocksIn, typed, withoutNulls } from './bytes.ts';
import { partsOf, readDer, readInstant, TAG } from './der.ts';
import { type Attribute, readName } from './distinguished-name.ts';

/** The parts of an X.509 certificate that weft checks. */
export interface Certificate {
  readonly subject: readonly Attribute[];
  readonly issuer: readonly Attribute[];
  /** `undefined` for an algorithm that no consumer has. */
  readonly publicKey: PublicKey | undefined;
  /** Begin of validity, such as `2026-01-01T00:00:00Z`. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** True when an API server accepts the certificate from a client. */
  readonly isForClients: boolean;
  /** In hexadecimal. */
  readonly serialNumber: string;
  /** The parsed certificate, for `issuerAmong`. */
  readonly parsed: X509Certificate;
}

/** Purposes with which a client may authenticate: clientAuth and anyExtendedKeyUsage. Source: RFC 5280, section 4.2.1.12. */
const CLIENT_PURPOSES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

type ReadCertificates =
  | { readonly kind: 'certificates'; readonly certificates: readonly [Certificate, ...Certificate[]] }
  /** `not-pem`: no block of PEM. `other-block`: a block of something else. `not-x509`: the bytes of a block are no certificate. */
  | { readonly kind: 'unreadable'; readonly why: 'not-pem' | 'other-block' | 'not-x509' };

/**
 * Every certificate of a text in PEM. In a signed certificate the first one is the client's; in a CA bundle any of them
 * may be used.
 */
export function readCertificates(text: string): ReadCertificates {
  const blocks = pemBlocksIn(withoutNulls(text));
  const found: Certificate[] = [];
  for (const { label, bytes } of blocks) {
    if (label !== 'CERTIFICATE') return { kind: 'unreadable', why: 'other-block' };
    const certificate = bytes && readX509(typed(bytes));
    if (certificate === undefined) return { kind: 'unreadable', why: 'not-x509' };
    found.push(certificate);
  }
  const [first, ...others] = found;
  return first === undefined
    ? { kind: 'unreadable', why: 'not-pem' }
    : { kind: 'certificates', certificates: [first, ...others] };
}

/**
 * The certificates in base64 of PEM, the first one first; none for anything else. Kubernetes writes no base64 that is not canonical,
 * and a file with one does not compile, so none is recorded either.
 */
export function certificatesIn(base64: string): readonly Certificate[] {
  const read = readCertificates(textOfBase64(base64));
  return read.kind === 'certificates' ? read.certificates : [];
}

/**
 * Reads a certificate. OpenSSL decides its validity; names and times are read from the bytes, because Node returns them
 * only as texts.
 */
function readX509(der: Uint8Array): Certificate | undefined {
  const parsed = parse(der);
  const [body] = partsOf(readDer(bytesOf(der)), TAG.sequence) ?? [];
  const [version, ...rest] = partsOf(body, TAG.sequence) ?? [];
  // Version 1 is omitted: the serial number comes first. Source: RFC 5280, section 4.1.
  const fields = version?.tag === TAG.integer ? [version, ...rest] : rest;
  const [, , issuerName, validity, subjectName, spki] = fields;
  const [from, until] = partsOf(validity, TAG.sequence) ?? [];
  const [issuer, subject, notBefore, notAfter] = [
    readName(issuerName),
    readName(subjectName),
    readInstant(from),
    readInstant(until),
  ];
  if (!parsed || !issuer || !subject || !notBefore || !notAfter || !spki) return undefined;
  const purposes = parsed.keyUsage as readonly string[] | undefined;
  return {
    subject,
    issuer,
    publicKey: readSpki(spki.whole),
    notBefore,
    notAfter,
    isForClients: purposes === undefined || purposes.some((it) => CLIENT_PURPOSES.includes(it)),
    serialNumber: parsed.serialNumber.toLowerCase(),
    parsed,
  };
}

function parse(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

/**
 * Checks whether one of these CAs issued a certificate.
 *
 * `other-issuer` alone is no mistake: the CA of an API server may be another one than the CA that signs for clients, as
 * in k3s. `wrong-signature` is a mistake: the certificate contains the name of one of these CAs, and that CA did not
 * sign it.
 */
export function issuerAmong(
  { parsed }: Certificate,
  authorities: readonly Certificate[],
): 'issued' | 'other-issuer' | 'wrong-signature' {
  const named = authorities.filter((it) => parsed.checkIssued(it.parsed));
  if (named.length === 0) return 'other-issuer';
  return named.some((it) => parsed.verify(it.parsed.publicKey)) ? 'issued' : 'wrong-signature';
}
