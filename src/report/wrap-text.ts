import { displayWidth } from './display-width.ts';

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
