import { decodeBase64 } from '../../../base/core/base64.ts';

/** `undefined` for a text that no encoder writes. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const decoded = decodeBase64(text);
  return decoded.kind === 'bytes' ? Uint8Array.from(decoded.bytes) : undefined;
}

/** A base64 text as the text that it encodes. PEM is ASCII. */
export function textOfBase64(text: string): string | undefined {
  const bytes = bytesOfBase64(text);
  return bytes && [...bytes].map((it) => String.fromCharCode(it)).join('');
}
