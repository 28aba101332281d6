import { eastAsianWidth } from 'get-east-asian-width';
import { largest } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import type { Paint } from './paint.ts';

/**
 * A table with its titles in a quieter colour; empty without rows. If the terminal is too narrow, every row becomes a
 * block with one line per cell.
 */
export function printTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): readonly string[] {
  if (rows.length === 0) return [];
  const [head = '', ...table] = alignRows([titles, ...rows]);
  const { columns } = paint;
  const fits = columns === undefined || [head, ...table].every((it) => displayWidth(it) <= columns);
  if (fits) return [paint.quiet(head), ...table];
  return [paint.quiet(titles[0] ?? ''), ...rows.flatMap((row) => blockOf(titles, row, paint))];
}

/** The first cell, then the others below it with their titles. A row that continues the one above has no first cell. */
function blockOf(
  titles: readonly string[],
  row: readonly string[],
  { quiet, strong, columns = 0 }: Paint,
): readonly string[] {
  const [first = '', ...others] = row.map(visibleText);
  const width = largest(titles.slice(1).map(displayWidth));
  const lead = ' '.repeat(width + 4);
  return [
    ...(first === '' ? [] : [strong(first)]),
    ...others.flatMap((cell, i) => {
      if (cell === '') return [];
      const [first = '', ...more] = wrapText(cell, columns - lead.length);
      return [`  ${quiet(padTo(titles[i + 1] ?? '', width))}  ${first}`, ...more.map((it) => lead + it.trimStart())];
    }),
  ];
}

/** The least width of the last column; a narrower one moves below its row. */
const NARROWEST = 20;

/**
 * Aligns rows of plain cells as visible text, two spaces apart, without trailing spaces. With a width, the last column
 * is wrapped at spaces, if the other columns fit.
 */
export function alignRows(plain: readonly (readonly string[])[], columns?: number): readonly string[] {
  const rows = plain.map((row) => row.map(visibleText));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  const lead = widths.slice(0, -1).reduce((sum, it) => sum + it + 2, 0);
  const fits = columns === undefined || lead + (widths.at(-1) ?? 0) <= columns;
  return rows.flatMap((row) => {
    const cells = row.map((cell, column) => padTo(cell, widths[column] ?? 0));
    if (fits || row.length < widths.length) return [joinedCells(cells)];
    // Columns that are too wide by themselves are not aligned.
    const others = lead > columns ? row : cells;
    return broken(others.slice(0, -1), row.at(-1) ?? '', { lead, columns });
  });
}

/** Wraps the last cell of a row: beside the others, or below them if too little width is left. */
function broken(
  others: readonly string[],
  last: string,
  { lead, columns }: { readonly lead: number; readonly columns: number },
): readonly string[] {
  const isBeside = columns - lead >= NARROWEST;
  const indent = ' '.repeat(isBeside ? lead : 4);
  const lines = wrapText(last, columns - indent.length).map((it) => indent + it);
  if (!isBeside) return [joinedCells(others), ...(last === '' ? [] : lines)];
  const [first = '', ...more] = lines;
  return [joinedCells([...others, first.slice(lead)]), ...more];
}

const joinedCells = (cells: readonly string[]): string => cells.join('  ').replace(/ +$/, '');

/**
 * Rows as CSV. Spreadsheets execute a cell that starts like a formula, so such a cell gets an apostrophe. Source: RFC
 * 4180; OWASP, "CSV Injection".
 */
export const printCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

function csvCell(text: string): string {
  const visible = visibleText(text);
  const harmless = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(visible) ? `'${visible}` : visible;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

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
const padTo = (text: string, cells: number): string => text + ' '.repeat(Math.max(0, cells - displayWidth(text)));
