import { groupBy } from '../../base/core/group-by.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';

/** One diagnostic where one place causes many: an entry with labels makes the same mistake for every pair that it selects. */
export function foldByEntry(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const byPlace = groupBy(found, ({ code, span }) => [`${code} ${span.source.path} ${span.start} ${span.end}`]);
  return [...byPlace.values()].flatMap(([first, ...more]) => {
    if (first === undefined || more.length === 0) return first ?? [];
    return [{ ...first, message: `${first.message} (and ${more.length} more of this entry)` }];
  });
}
