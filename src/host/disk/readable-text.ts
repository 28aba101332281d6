import { errorCode } from './disk-error.ts';

/** In bytes. No generated file is larger, and a larger one is not shown. */
export const LARGEST_SHOWN_BYTES = 64 * 1024 * 1024;

/** The bytes as text, with the byte order mark that they may have; `null` for bytes that are not UTF-8, and for too many. */
export function readableText(bytes: Buffer): string | null {
  if (bytes.length > LARGEST_SHOWN_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (errorCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return null;
  }
}
