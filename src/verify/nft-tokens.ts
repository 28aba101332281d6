import type { Source, Span } from '../source/source.ts';

export interface NftToken {
  readonly kind: 'word' | 'string' | 'mark' | 'semicolon' | 'line' | 'unknown' | 'end';
  /** For a string the text between its quotes. */
  readonly text: string;
  readonly span: Span;
}

/** Spaces and comments; words; strings, which end with their line; `!=`, braces; any other character alone. */
const TOKEN = /[ \t]+|#[^\n]*|([A-Za-z0-9_./:-]+)|"([^"\n]*)"|(!=|[{}])|(;)|(\n)|([\s\S])/g;

/** The tokens of an nft file without comments, which `nft` ignores. */
export function readNftTokens(source: Source): readonly NftToken[] {
  const tokens: NftToken[] = [];
  for (const found of source.text.matchAll(TOKEN)) {
    const [all, word, string, mark, semicolon, line, unknown] = found;
    const span = { source, start: found.index, end: found.index + all.length };
    if (word !== undefined) tokens.push({ kind: 'word', text: word, span });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string, span });
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark, span });
    else if (semicolon !== undefined) tokens.push({ kind: 'semicolon', text: semicolon, span });
    else if (line !== undefined) tokens.push({ kind: 'line', text: '\n', span: { ...span, end: span.start } });
    else if (unknown !== undefined) tokens.push({ kind: 'unknown', text: unknown, span });
  }
  return tokens;
}
