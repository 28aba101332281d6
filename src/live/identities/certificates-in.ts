import { decodeBase64 } from '../../base/core/base64.ts';
import { withoutNulls } from '../../fleet/certificates/pem.ts';
import { type Certificate, readCertificates } from '../../fleet/certificates/read-certificate.ts';

/** The text that base64 stands for; `undefined` for another text. PEM has ASCII characters only. */
export function textOfBase64(base64: string): string | undefined {
  const { kind, bytes } = decodeBase64(base64);
  return kind === 'not-base64' ? undefined : withoutNulls(bytes.map((it) => String.fromCharCode(it)).join(''));
}

/** The certificates in base64 of PEM, the first one first; none for anything else. */
export function certificatesIn(base64: string): readonly Certificate[] {
  const text = textOfBase64(base64);
  const read = text === undefined ? undefined : readCertificates(text);
  return read?.kind === 'certificates' ? read.certificates : [];
}
