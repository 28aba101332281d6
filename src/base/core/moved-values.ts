import { byCodeUnit } from './order.ts';

/** The keys, in order, whose value is another one than before and belonged to another key then. */
export function movedValues(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const had = new Set(before.values());
  return [...after]
    .flatMap(([key, value]) => (had.has(value) && before.get(key) !== value ? [key] : []))
    .sort(byCodeUnit);
}
