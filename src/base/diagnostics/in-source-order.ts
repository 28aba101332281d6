import { byCodeUnit } from '../core/order.ts';
import type { Source } from '../source/source.ts';
import type { Diagnostic } from './diagnostic.ts';

/**
 * The diagnostics of one stage by source, in the given order and then any others by path, and within a source by place.
 * Diagnostics at one place keep their order.
 */
export function inSourceOrder(
  found: readonly Diagnostic[],
  sources: readonly (Source | undefined)[] = [],
): readonly Diagnostic[] {
  const rankOf = ({ span }: Diagnostic): number => {
    const rank = sources.indexOf(span.source);
    return rank === -1 ? sources.length : rank;
  };
  return [...found].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) || byCodeUnit(a.span.source.path, b.span.source.path) || a.span.start - b.span.start,
  );
}
