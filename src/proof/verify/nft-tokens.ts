/** A token of a file of rules and its place: offsets in UTF-16 code units, `end` exclusive. */
export interface NftToken {
  readonly kind: 'word' | 'string' | 'mark' | 'semicolon' | 'line' | 'unknown' | 'end';
  /** For a string the text between its quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The code units that tokens begin or end with. */
const TAB = 9;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;

const OTHERS: Readonly<Record<string, NftToken['kind']>> = { '{': 'mark', '}': 'mark', ';': 'semicolon', '\n': 'line' };

/**
 * The first token of an nft file at or after an offset. Comments are skipped, as by `nft`; a string ends with its line.
 */
export function nftTokenAt(text: string, offset: number): NftToken {
  const start = afterSpace(text, offset);
  if (start === text.length) return { kind: 'end', text: '', start, end: start };
  const wordEnd = endOfWord(text, start);
  if (wordEnd > start) return { kind: 'word', text: text.slice(start, wordEnd), start, end: wordEnd };
  if (text.charCodeAt(start) === QUOTE) {
    const close = text.indexOf('"', start + 1);
    const inside = text.slice(start + 1, close);
    if (close !== -1 && !inside.includes('\n')) return { kind: 'string', text: inside, start, end: close + 1 };
  }
  if (text.startsWith('!=', start)) return { kind: 'mark', text: '!=', start, end: start + 2 };
  const character = text.charAt(start);
  const kind = OTHERS[character] ?? 'unknown';
  return { kind, text: character, start, end: start + 1 };
}

function afterSpace(text: string, offset: number): number {
  for (let at = offset; ; at++) {
    const code = text.charCodeAt(at);
    if (code === HASH) {
      const lineEnd = text.indexOf('\n', at);
      return lineEnd === -1 ? text.length : lineEnd;
    }
    if (code !== SPACE && code !== TAB) return at;
  }
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (isOfWord(text.charCodeAt(at))) at++;
  return at;
}

/** Letters, digits, `_`, and `-`, `.`, `/`, `:`. */
const isOfWord = (code: number): boolean =>
  (code >= 45 && code <= 58) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
