import { decodeBase64, encodeBase64 } from '../../base/core/encodings.ts';

/** Bytes as numbers, as in `core/`. Node's functions take and return typed arrays. */
export type Bytes = readonly number[];

export const bytesOf = (found: ArrayLike<number>): Bytes => Array.from(found);

export const typed = (bytes: Bytes): Uint8Array => Uint8Array.from(bytes);

export const areEqual = (a: Bytes, b: Bytes): boolean => a.length === b.length && a.every((it, i) => it === b[i]);

/** Bytes of a hexadecimal text with two digits per byte. */
export const bytesOfHex = (hex: string): Bytes => (hex.match(/../g) ?? []).map((it) => Number.parseInt(it, 16));

export const hexOf = (bytes: Bytes): string => bytes.map((it) => it.toString(16).padStart(2, '0')).join('');

type PemLabel = 'CERTIFICATE' | 'CERTIFICATE REQUEST' | 'PRIVATE KEY' | 'PUBLIC KEY';

const COLUMNS = /.{1,64}/g;

/** A PEM block with lines of 64 columns and a final newline, as Go prints it. Source: RFC 7468, section 3. */
export function printPem(label: PemLabel, bytes: Bytes): string {
  const lines = encodeBase64(bytes).match(COLUMNS) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

interface PemBlock {
  readonly label: string;
  /** `undefined` if the text between the lines is not base64. */
  readonly bytes: Bytes | undefined;
}

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]*?)-----END \1-----/g;

/** Every PEM block of a text; other text between blocks is ignored, because bundles of CAs contain comments. */
export function pemBlocksIn(text: string): readonly PemBlock[] {
  return [...text.matchAll(PEM_BLOCK)].map(([, label = '', body = '']) => {
    const { kind, bytes } = decodeBase64(body.replace(/\s+/g, ''));
    return { label, bytes: kind === 'bytes' ? bytes : undefined };
  });
}

/**
 * The text without NUL bytes at its end. Liqo decodes `apiServer.ca` into a buffer that it does not shorten. Source:
 * liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go.
 */
export function withoutNulls(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\0') end--;
  return text.slice(0, end);
}
