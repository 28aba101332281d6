import { decodeBase64, textOfBytes } from '../../base/core/encodings.ts';
import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { ApiServer } from './declaration.ts';
import { API_SERVER_ADDRESS } from './formats/repositories-and-servers.ts';
import { checkText, type Report } from './report.ts';

type ApiServerSpec = NonNullable<ClusterSpec>['apiServer'];

/** Reads the address of a cluster's API server for peers. `owner` names the cluster in messages: `of "rome"`. */
export function readApiServer(
  written: Reading<NonNullable<ApiServerSpec>>,
  owner: string,
  report: Report,
): ApiServer | null {
  const address = written.scalar() ?? written.at('address').scalar();
  checkText(address, API_SERVER_ADDRESS, `apiServer ${owner}`, report);
  const trustedCA = written.at('trustedCA').orDefault(false).value;
  const ca = readAuthority(written, owner, report);
  if (!address || API_SERVER_ADDRESS.hintFor(address.value) !== undefined) return null;
  if (ca !== null && trustedCA) {
    const message = `\`apiServer.ca\` ${owner} has no effect, because with \`trustedCA\` Liqo sends peers no authority`;
    const hint = 'remove one of the two';
    report(diagnostic('topology/unused-setting', written.at('ca').keySpan, message, { hint }));
  }
  return { address, url: withScheme(address.value), ca: trustedCA ? null : ca, trustedCA };
}

/** Completes an address as Liqo does. Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go. */
const withScheme = (address: string): string => (address.startsWith('https://') ? address : `https://${address}`);

function readAuthority(written: Reading<NonNullable<ApiServerSpec>>, owner: string, report: Report): string | null {
  const text = written.at('ca').scalar();
  if (!text) return null;
  const read = readCertificateTexts(text.value);
  if (read.kind === 'pem') return read.base64;
  report(
    diagnostic('topology/bad-certificate', text.at, `\`apiServer.ca\` ${owner} cannot be used: ${read.why}`, {
      hint: 'copy `certificate-authority-data` from a kubeconfig of the cluster',
    }),
  );
  return null;
}

type CertificateTexts =
  | { readonly kind: 'pem'; readonly base64: string }
  | { readonly kind: 'unreadable'; readonly why: string };

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;

const unreadable = (why: string): CertificateTexts => ({ kind: 'unreadable', why });

/**
 * Reads certificates as PEM in base64, the form of a kubeconfig and of Liqo's chart. Other contents are refused,
 * because private keys have the same form in a kubeconfig. Source: liqotech/liqo@v1.2.0
 * cmd/liqo-controller-manager/modules/authentication.go (CAOverrideB64), RFC 7468.
 */
function readCertificateTexts(text: string): CertificateTexts {
  const decoded = decodeBase64(text);
  // PEM is ASCII.
  if (decoded.kind !== 'bytes' || decoded.bytes.some((it) => it > 0x7e)) return unreadable('it is no PEM in base64');
  const pem = textOfBytes(decoded.bytes);
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(pem)) return unreadable('it has a private key in it');
  const blocks = [...pem.matchAll(BLOCK)];
  if (pem.replace(BLOCK, '').trim() !== '') return unreadable('it has other text than certificates in it');
  if (blocks.length === 0) return unreadable('it has no certificate in it');
  const broken = blocks.findIndex(([, body]) => !isCertificate((body ?? '').replace(/\s/g, '')));
  return broken === -1
    ? { kind: 'pem', base64: text }
    : unreadable(`its certificate ${broken + 1} is cut off or changed`);
}

/** True for one DER SEQUENCE of the whole length that starts with another SEQUENCE. Source: RFC 5280, 4.1. */
function isCertificate(base64: string): boolean {
  const decoded = decodeBase64(base64);
  if (decoded.kind !== 'bytes') return false;
  const outer = contentOf(decoded.bytes, 0);
  return (
    outer !== undefined && outer.end === decoded.bytes.length && contentOf(decoded.bytes, outer.start) !== undefined
  );
}

const SEQUENCE = 0x30;

/** The content of the SEQUENCE at an offset; `undefined` for anything else. */
function contentOf(bytes: readonly number[], at: number): { readonly start: number; readonly end: number } | undefined {
  const short = bytes[at + 1] ?? 0;
  const digits = short < 0x80 ? 0 : short - 0x80;
  if (bytes[at] !== SEQUENCE || short === 0x80 || digits > 4) return undefined;
  const length = digits === 0 ? short : bytes.slice(at + 2, at + 2 + digits).reduce((sum, it) => sum * 256 + it, 0);
  const start = at + 2 + digits;
  return start + length <= bytes.length ? { start, end: start + length } : undefined;
}
