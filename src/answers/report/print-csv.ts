import { visibleText } from '../../base/core/visible-text.ts';

/**
 * Rows as CSV. Spreadsheets run a cell that begins like a formula, so such a cell gets an apostrophe.
 * Source: RFC 4180; OWASP, "CSV Injection".
 */
export const printCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(text: string): string {
  const visible = visibleText(text);
  const harmless = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(visible) ? `'${visible}` : visible;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
