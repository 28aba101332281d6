import type { Source, Span } from '../../base/source/source.ts';

/**
 * The line that a hand has changed: the first that no known text has, because a stale file also differs from the compiled one
 * in lines that nobody edited; else the first that is at another place than in the first known text.
 */
export function changedLine(source: Source, known: readonly string[]): Span {
  const lines = source.text.split('\n');
  const elsewhere = new Set(known.flatMap((it) => it.split('\n')));
  const unknown = lines.findIndex((it) => !elsewhere.has(it));
  const expected = known[0]?.split('\n') ?? [];
  const moved = lines.findIndex((it, i) => it !== expected[i]);
  const at = [unknown, moved].find((it) => it !== -1) ?? lines.length - 1;
  const start = lines.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0);
  return { source, start, end: start + (lines[at] ?? '').length };
}
