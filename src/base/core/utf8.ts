/** Replaces half of a surrogate pair, which has no bytes of its own. Source: Unicode, the replacement character. */
const REPLACEMENT = 0xfffd;

/** The bytes of a text in UTF-8. */
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

/** How many bytes a text has in UTF-8. */
export const utf8Length = (text: string): number => (/^[\0-\x7f]*$/.test(text) ? text.length : utf8Bytes(text).length);
