import { visibleText } from '../../base/core/visible-text.ts';
import { displayWidth, padTo } from './display-width.ts';
import { wrapText } from './wrap-text.ts';

/** A last column that would be narrower is below its row instead. */
const NARROWEST = 20;

/**
 * Rows of plain cells as lines of visible text with aligned columns, two spaces apart, without trailing spaces. With a width,
 * the text of the last column is broken at spaces, so that lines fit where the other columns do.
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
    if (fits || row.length < widths.length) return [joined(cells)];
    // Columns that do not fit by themselves are not aligned.
    const others = lead > columns ? row : cells;
    return broken(others.slice(0, -1), row.at(-1) ?? '', { lead, columns });
  });
}

/** A row whose last cell may need several lines: beside the others, or below them where too little is left. */
function broken(
  others: readonly string[],
  last: string,
  { lead, columns }: { readonly lead: number; readonly columns: number },
): readonly string[] {
  const isBeside = columns - lead >= NARROWEST;
  const indent = ' '.repeat(isBeside ? lead : 4);
  const lines = wrapText(last, columns - indent.length).map((it) => indent + it);
  if (!isBeside) return [joined(others), ...(last === '' ? [] : lines)];
  const [first = '', ...more] = lines;
  return [joined([...others, first.slice(lead)]), ...more];
}

const joined = (cells: readonly string[]): string => cells.join('  ').replace(/ +$/, '');
