import { textOfBase64 } from '../../base/core/encodings.ts';
import { type PublicKey, readSpki } from './authentication-key.ts';
import { areEqual, type Bytes, hexOf, pemBlocksIn, withoutNulls } from './bytes.ts';
import { type DerValue, partsOf, readDer, readInstant, readObjectId, TAG } from './der.ts';
import { type Attribute, readName } from './distinguished-name.ts';
import { isSignatureBy, isSignedBy, readSigned, type Signed } from './signed.ts';

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
  /** The parts that `issuerAmong` compares. */
  readonly issuing: Issuing;
}

/** Facts that decide who issued a certificate, and whether its key may sign others. */
interface Issuing {
  readonly signed: Signed;
  readonly serial: Bytes;
  /** Names in DER. */
  readonly issuer: Bytes;
  readonly subject: Bytes;
  /** False for the key of a CA that must not sign certificates. */
  readonly maySign: boolean;
  readonly keyId: Bytes | undefined;
  /** Two facts by which the certificate names its issuer. Source: RFC 5280, section 4.2.1.1. */
  readonly authority: { readonly keyId: Bytes | undefined; readonly serial: Bytes | undefined };
}

/** Purposes with which a client may authenticate: clientAuth and anyExtendedKeyUsage. Source: RFC 5280, section 4.2.1.12. */
const CLIENT_PURPOSES = ['2b06010505070302', '551d2500'];

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
    const certificate = bytes && readX509(bytes);
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

/** Reads a certificate in DER. Source: RFC 5280, section 4.1. */
function readX509(der: Bytes): Certificate | undefined {
  const signed = readSigned(readDer(der));
  const [version, ...rest] = partsOf(signed?.body, TAG.sequence) ?? [];
  // Version 1 is omitted: the serial number comes first.
  const fields = version === undefined || isLaterVersion(version) ? rest : [version, ...rest];
  const [serial, algorithm, issuerName, validity, subjectName, spki, ...optional] = fields;
  const [from, until] = partsOf(validity, TAG.sequence) ?? [];
  const [issuer, subject, notBefore, notAfter] = [
    readName(issuerName),
    readName(subjectName),
    readInstant(from),
    readInstant(until),
  ];
  const extensions = readExtensions(optional.find((it) => it.tag === TAG.extensions));
  const isWhole = isKeyInfo(spki) && OPTIONAL_TAGS.test(optional.map((it) => hexOf([it.tag])).join(' '));
  if (!signed || !isWhole || serial?.tag !== TAG.integer || !areEqual(algorithm?.whole ?? [], signed.algorithm.whole))
    return undefined;
  if (!issuer || !subject || !notBefore || !notAfter || !issuerName || !subjectName || !spki || !extensions)
    return undefined;
  const { purposes, maySign, keyId, authority } = extensions;
  return {
    subject,
    issuer,
    publicKey: readSpki(spki.whole),
    notBefore,
    notAfter,
    isForClients: purposes === undefined || purposes.some((it) => CLIENT_PURPOSES.includes(it)),
    serialNumber: hexOf(serial.content).replace(/^00(?=.)/, ''),
    issuing: {
      ...{ signed, serial: serial.content, issuer: issuerName.whole, subject: subjectName.whole },
      ...{ maySign, keyId, authority },
    },
  };
}

/** Two identifiers that no CA writes any more, and the extensions. */
const OPTIONAL_TAGS = /^(81)? ?(82)? ?(a3)?$/;

/** True for SubjectPublicKeyInfo of any algorithm. */
function isKeyInfo(value: DerValue | undefined): boolean {
  const [algorithm, bits, ...more] = partsOf(value, TAG.sequence) ?? [];
  const [id] = partsOf(algorithm, TAG.sequence) ?? [];
  return readObjectId(id) !== undefined && bits?.tag === TAG.bitString && bits.content[0] === 0 && more.length === 0;
}

/** Version 2 or 3, which are written as 1 and 2. */
function isLaterVersion(value: DerValue): boolean {
  const number = value.tag === TAG.version ? readDer(value.content) : undefined;
  return number?.tag === TAG.integer && ['01', '02'].includes(hexOf(number.content));
}

interface Extensions extends Pick<Issuing, 'maySign' | 'keyId' | 'authority'> {
  /** Object identifiers in hexadecimal; `undefined` for every purpose. */
  readonly purposes: readonly string[] | undefined;
}

/** Extensions below 2.5.29, with the tags of their values. Source: RFC 5280, section 4.2.1. */
const [KEY_ID, USAGE, AUTHORITY, PURPOSES] = ['551d0e', '551d0f', '551d23', '551d25'];
const VALUE_TAGS: ReadonlyMap<string, number> = new Map([
  [KEY_ID, TAG.octetString],
  [USAGE, TAG.bitString],
  [AUTHORITY, TAG.sequence],
  [PURPOSES, TAG.sequence],
]);

/** The bit of keyCertSign in the first byte of keyUsage. Source: RFC 5280, section 4.2.1.3. */
const CERTIFICATE_SIGN = 0x04;

/** Reads the extensions that weft checks; `undefined` if one of them cannot be read, or if one is there twice, like Go. */
function readExtensions(value: DerValue | undefined): Extensions | undefined {
  const found = new Map<string, DerValue | undefined>();
  for (const extension of value === undefined ? [] : (partsOf(readDer(value.content), TAG.sequence) ?? [undefined])) {
    const [id, ...values] = partsOf(extension, TAG.sequence) ?? [];
    const [content, ...more] = values[0]?.tag === TAG.boolean ? values.slice(1) : values;
    const name = readObjectId(id);
    if (name === undefined || content?.tag !== TAG.octetString || more.length > 0) return undefined;
    const own = readDer(content.content);
    if (found.has(name) || (VALUE_TAGS.has(name) && VALUE_TAGS.get(name) !== own?.tag)) return undefined;
    found.set(name, own);
  }
  const authority = partsOf(found.get(AUTHORITY), TAG.sequence);
  const purposes = partsOf(found.get(PURPOSES), TAG.sequence) ?? [];
  return {
    purposes: found.has(PURPOSES) ? purposes.map((it) => hexOf(it.content)) : undefined,
    maySign: !found.has(USAGE) || ((found.get(USAGE)?.content[1] ?? 0) & CERTIFICATE_SIGN) !== 0,
    keyId: found.get(KEY_ID)?.content,
    authority: {
      keyId: authority?.find((it) => it.tag === AUTHORITY_KEY_ID)?.content,
      serial: authority?.find((it) => it.tag === AUTHORITY_SERIAL)?.content,
    },
  };
}

/** Context-specific tags. Source: RFC 5280, section 4.2.1.1. */
const [AUTHORITY_KEY_ID, AUTHORITY_SERIAL] = [0x80, 0x82];

/**
 * Checks whether one of these CAs issued a certificate.
 *
 * `other-issuer` alone is no mistake: the CA of an API server may be another one than the CA that signs for clients, as
 * in k3s. `wrong-signature` is a mistake: the certificate contains the name of one of these CAs, and that CA did not
 * sign it.
 */
export function issuerAmong(
  certificate: Certificate,
  authorities: readonly Certificate[],
): 'issued' | 'other-issuer' | 'wrong-signature' {
  const named = authorities.filter((it) => isNamedBy(it, certificate));
  if (named.length === 0) return 'other-issuer';
  const isSigned = ({ publicKey }: Certificate): boolean =>
    publicKey !== undefined && isSignedBy(publicKey, certificate.issuing.signed);
  return named.some(isSigned) ? 'issued' : 'wrong-signature';
}

/**
 * True if a certificate names this authority as its issuer, with a signature that its key can make. Names are equal byte
 * for byte, as for API servers. Source: golang/go@go1.24 src/crypto/x509/cert_pool.go; openssl/openssl@openssl-3.0.0
 * crypto/x509/v3_purp.c (X509_check_issued).
 */
function isNamedBy(
  { publicKey, issuing: authority }: Certificate,
  { issuing: { signed, issuer, authority: named } }: Certificate,
) {
  const agrees = (wanted: Bytes | undefined, found: Bytes | undefined): boolean =>
    wanted === undefined || found === undefined || areEqual(wanted, found);
  return (
    areEqual(authority.subject, issuer) &&
    agrees(named.keyId, authority.keyId) &&
    agrees(named.serial, authority.serial) &&
    authority.maySign &&
    publicKey !== undefined &&
    isSignatureBy(publicKey, signed)
  );
}
