// A topology may come from a stranger's pull request. Escape sequences in it must not reach a terminal, and marks that
// reorder what is read (U+202A to U+202E, U+2066 to U+2069) must not hide what is compiled.
const HIDDEN = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** The text with every control character replaced by a visible one, one for one. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    // U+2400 to U+2421 are pictures of the ASCII control characters.
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
}
