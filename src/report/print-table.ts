import { alignRows } from './align-rows.ts';
import type { Paint } from './paint.ts';

/** A table with its titles in a quieter colour; nothing without rows. */
export function printTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): readonly string[] {
  if (rows.length === 0) return [];
  const [head = '', ...table] = alignRows([titles, ...rows]);
  return [paint.quiet(head), ...table];
}
