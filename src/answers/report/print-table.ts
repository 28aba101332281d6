import { visibleText } from '../../base/core/visible-text.ts';
import { alignRows } from './align-rows.ts';
import { displayWidth, padTo } from './display-width.ts';
import type { Paint } from './paint.ts';
import { wrapText } from './wrap-text.ts';

/**
 * A table with its titles in a quieter colour; nothing without rows. Where a line of the terminal is too short for it, every
 * row is a block, with a line for each of its cells.
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
  const width = Math.max(...titles.slice(1).map(displayWidth));
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
