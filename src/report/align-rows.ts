import { displayWidth, padTo } from './display-width.ts';

/** Rows of cells as lines with aligned columns, two spaces apart, without trailing spaces. */
export function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
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
