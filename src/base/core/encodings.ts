/**
 * The replacement for half of a surrogate pair, which has no bytes of its own.
 * Source: Unicode, the replacement character.
 */
const REPLACEMENT = 0xfffd;

export function utf8Bytes(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const found = character.codePointAt(0) ?? 0;
    const code = found >= 0xd800 && found <= 0xdfff ? REPLACEMENT : found;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(code >> 6), tail(code));
    else bytes.push(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code));
  }
  return bytes;
}

const tail = (code: number): number => 0x80 | (code & 0x3f);

export const utf8Length = (text: string): number => (/^[\0-\x7f]*$/.test(text) ? text.length : utf8Bytes(text).length);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A decoded base64 text, or the kind of its error. Source: RFC 4648, section 4. */
type DecodedBase64 =
  | { readonly kind: 'bytes'; readonly bytes: readonly number[] }
  /** The text has characters outside the alphabet, or `=` before its end. */
  | { readonly kind: 'not-base64'; readonly bytes: readonly [] }
  /** The bytes can be decoded, but an encoder writes another text: padding is missing, or spare bits are set. */
  | { readonly kind: 'not-canonical'; readonly bytes: readonly number[] };

export function decodeBase64(text: string): DecodedBase64 {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return { kind: 'not-base64', bytes: [] };
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const character of text.replace(/=+$/, '')) {
    bits = ((bits << 6) | ALPHABET.indexOf(character)) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return encodeBase64(bytes) === text ? { kind: 'bytes', bytes } : { kind: 'not-canonical', bytes };
}

/** The text with a character for each byte; for PEM, which has only ASCII characters. */
export const textOfBytes = (bytes: Iterable<number>): string =>
  Array.from(bytes, (it) => String.fromCharCode(it)).join('');

/** The ASCII text in base64 that an encoder wrote; empty for any other text. */
export function textOfBase64(base64: string): string {
  const { kind, bytes } = decodeBase64(base64);
  return kind === 'bytes' ? textOfBytes(bytes) : '';
}

export function encodeBase64(bytes: readonly number[]): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const given = Math.min(3, bytes.length - i) + 1;
    for (let digit = 0; digit < 4; digit++)
      text += digit < given ? ALPHABET.charAt((bits >> (18 - 6 * digit)) & 63) : '=';
  }
  return text;
}

/**
 * The text with `\n` line ends. A checkout of git may have `\r\n` instead (`core.autocrlf`, `eol=crlf`), which is not a
 * difference for weft. Source: git-config, core.autocrlf.
 */
export const withLf = (text: string): string => (text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text);

/** A part of a URL as text; as it is when it is not encoded as one, because people type such texts, too. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
