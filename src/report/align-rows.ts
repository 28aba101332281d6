import { visibleText } from '../core/visible-text.ts';
import { displayWidth, padTo } from './display-width.ts';

/** Rows of plain cells as lines of visible text with aligned columns, two spaces apart, without trailing spaces. */
export function alignRows(plain: readonly (readonly string[])[]): readonly string[] {
  const rows = plain.map((row) => row.map(visibleText));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => padTo(cell, widths[column] ?? 0))
      .join('  ')
      .replace(/ +$/, ''),
  );
}
