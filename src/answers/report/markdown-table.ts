/** A table in Markdown, with an empty line above; nothing without rows. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.map((it) => it.replace(/\|/g, '\\|')).join(' | ')} |`;
  return rows.length === 0 ? [] : ['', row(titles), row(titles.map(() => '---')), ...rows.map(row)];
}
