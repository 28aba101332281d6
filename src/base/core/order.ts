/** The order of all texts that weft sorts: by code unit, which is the same in every language and on every machine. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A comparison by one text of each thing: `clusters.sort(by((it) => it.name))`. */
export const by =
  <T>(textOf: (it: T) => string): ((a: T, b: T) => number) =>
  (a, b) =>
    byCodeUnit(textOf(a), textOf(b));

/** The index of a text in a list in this order; where it is missing, the index it would have. */
export function placeInOrder(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every text once, in order. */
export const sortedUnique = <T extends string>(texts: Iterable<T>): readonly T[] =>
  [...new Set(texts)].sort(byCodeUnit);

/** Two texts, the smaller one first. */
export const inOrder = (a: string, b: string): readonly [string, string] => (a < b ? [a, b] : [b, a]);

/** The same entries, in order of their keys: often the record itself. */
export function sortedRecord<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const keys = Object.keys(record);
  if (keys.every((key, i) => i === 0 || (keys[i - 1] as string) < key)) return record;
  return Object.fromEntries(Object.entries(record).sort(by(([key]) => key)));
}
