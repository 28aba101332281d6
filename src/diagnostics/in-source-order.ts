import type { Source } from '../source/source.ts';
import type { Diagnostic } from './diagnostic.ts';

/**
 * The diagnostics of one stage as somebody reads the files: the given sources in that order, then any others, and within
 * a source by place. What is found at one place keeps its order.
 */
export function inSourceOrder(
  found: readonly Diagnostic[],
  sources: readonly (Source | undefined)[] = [],
): readonly Diagnostic[] {
  const rankOf = ({ span }: Diagnostic): number => {
    const rank = sources.indexOf(span.source);
    return rank === -1 ? sources.length : rank;
  };
  return [...found].sort((a, b) => rankOf(a) - rankOf(b) || a.span.start - b.span.start);
}
