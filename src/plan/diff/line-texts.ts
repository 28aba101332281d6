/** What a last line ends with that has no line break; no other line contains one. */
const UNENDED = '\n\\ No newline at end of file';

/** The lines of a text, without their line breaks. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, last + UNENDED];
}

/** The text of lines: the inverse of `linesOf`. */
export const textOf = (lines: readonly string[]): string =>
  lines.map((it) => (it.endsWith(UNENDED) ? it.slice(0, -UNENDED.length) : `${it}\n`)).join('');
