import { visibleText } from '../../base/core/visible-text.ts';
import { lineText, placeAt, type Span } from '../../base/source/source.ts';
import { widthOf } from './display-width.ts';

interface FrameLook {
  /** Width of the column of line numbers. */
  readonly gutter: number;
  /** The mark below the place, `^` or `-`. */
  readonly mark: string;
  readonly paintMark: (text: string) => string;
  readonly paintGutter: (text: string) => string;
}

/** Cells of source text that are shown at most; with the gutter a line stays near 120. */
const FRAME_CELLS = 110;
/** Cells that stay visible before the place when a long line is cut. */
const LEAD_CELLS = 30;
const TAB_CELLS = 4;
/** UTF-16 code units read on each side of the place. */
const REACH = 1000;

/** The source line of a span with the place underlined: two lines. */
export function printFrame(span: Span, look: FrameLook): readonly string[] {
  const from = placeAt(span.source, span.start);
  const to = placeAt(span.source, Math.max(span.start, span.end));
  const line = lineText(span.source, from.line);
  // Nothing further away can be visible, so a line of megabytes costs no more than a short one.
  const offset = Math.max(0, from.column - 1 - REACH);
  const text = line.slice(offset, offset + 2 * REACH);
  const first = Math.min(from.column - 1 - offset, text.length);
  const last = to.line === from.line ? to.column - 1 - offset : text.length;
  const { shown, lead, marks } = cut(cellsOf(text, first, Math.max(first, last)));
  const number = String(from.line).padStart(look.gutter);
  const blank = ' '.repeat(look.gutter);
  return [
    trimEnd(`${look.paintGutter(`${number} |`)} ${shown}`),
    `${look.paintGutter(`${blank} |`)} ${' '.repeat(lead)}${look.paintMark(look.mark.repeat(marks))}`,
  ];
}

interface Cells {
  /** What is drawn, with its width in cells, one entry a character. */
  readonly drawn: readonly { readonly text: string; readonly width: number }[];
  /** Cells before the place, and cells of the place. */
  readonly before: number;
  readonly inside: number;
}

/** A line as a terminal draws it: tabs become spaces, so that the marks line up with the text. */
function cellsOf(line: string, first: number, last: number): Cells {
  const drawn: { text: string; width: number }[] = [];
  let at = 0;
  let column = 0;
  let before = 0;
  let inside = 0;
  // One for one, and read as a whole: some characters are harmless alone.
  const visible = [...visibleText(line)];
  for (const [index, character] of [...line].entries()) {
    const tab = character === '\t' ? TAB_CELLS - (column % TAB_CELLS) : 0;
    const text = tab > 0 ? ' '.repeat(tab) : (visible[index] ?? '');
    const width = tab > 0 ? tab : widthOf(text);
    drawn.push({ text, width });
    if (at < first) before += width;
    else if (at < last) inside += width;
    column += width;
    at += character.length;
  }
  return { drawn, before, inside };
}

/** The part of a long line around the place, with an ellipsis where text is left out. */
function cut({ drawn, before, inside }: Cells): { shown: string; lead: number; marks: number } {
  const total = drawn.reduce((sum, it) => sum + it.width, 0);
  const marks = Math.max(1, inside);
  if (total <= FRAME_CELLS) return { shown: drawn.map((it) => it.text).join(''), lead: before, marks };
  // Near its start the line is not cut before the place.
  const start = before + Math.min(marks, LEAD_CELLS) <= FRAME_CELLS - 1 ? 0 : before - LEAD_CELLS;
  let shown = start > 0 ? '…' : '';
  let used = start > 0 ? 1 : 0;
  let lead = start > 0 ? 1 : 0;
  let column = 0;
  for (const it of drawn) {
    const here = column;
    column += it.width;
    if (here < start) continue;
    if (used + it.width > FRAME_CELLS - 1 && column < total) {
      shown += '…';
      break;
    }
    shown += it.text;
    used += it.width;
    if (here < before) lead += it.width;
  }
  return { shown, lead, marks: Math.max(1, Math.min(marks, used - lead)) };
}

const trimEnd = (line: string): string => line.replace(/ +$/, '');
