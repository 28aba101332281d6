import { displayWidth } from './display-width.ts';
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
