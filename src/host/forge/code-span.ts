import { visibleText } from '../../base/core/visible-text.ts';

/** A code span: its fence is longer than every run of backticks inside. Source: CommonMark 0.31 6.1. */
export function codeSpan(text: string): string {
  // A bar would end the cell of a table even here. Source: GitHub Flavored Markdown 4.10.
  const line = visibleText(text.replace(/\s+/g, ' ')).replace(/\|/g, '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${room}${line}${room}${fence}`;
}
