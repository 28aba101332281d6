import { eastAsianWidth } from 'get-east-asian-width';
import type { Paint } from './paint.ts';

/** A sentence as lines of at most so many cells, broken at spaces; all but the first are indented by two. A longer word stays whole. */
export function wrapText(text: string, cells: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.trim() === '') line += word;
    else if (displayWidth(`${line} ${word}`) <= cells) line += ` ${word}`;
    else {
      lines.push(line);
      line = `  ${word}`;
    }
  }
  return [...lines, line];
}

/** Lines as they fit a terminal, with the indentation that they have; as they are where lines may be of any length. */
export const wrapLines = (lines: readonly string[], { columns }: Paint): readonly string[] =>
  lines.flatMap((line) => {
    if (columns === undefined || displayWidth(line) <= columns) return [line];
    const indent = /^ */.exec(line)?.[0] ?? '';
    return wrapText(line.slice(indent.length), columns - indent.length).map((it) => indent + it);
  });

/** Lines as a text that ends with a line break. */
export const printLines = (lines: readonly string[]): string =>
  lines
    .map(
      (it) => `${it}
`,
    )
    .join('');

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Cells that a terminal gives to one character (a string of one code point): 0, 1 or 2. */
export function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return eastAsianWidth(code);
}

/** Cells that a terminal gives to a text without tabs and line breaks. */
export function displayWidth(text: string): number {
  let cells = 0;
  for (const character of text) cells += widthOf(character);
  return cells;
}

/** The text with spaces after it, so that it fills that many cells; a longer one stays as it is. */
export const padTo = (text: string, cells: number): string =>
  text + ' '.repeat(Math.max(0, cells - displayWidth(text)));
