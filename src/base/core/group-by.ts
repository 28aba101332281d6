/** The items under each of their keys; an item with several keys is in each of their groups. Orders are kept. */
export function groupBy<T, K extends string = string>(
  items: readonly T[],
  keysOf: (item: T) => readonly K[],
): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}
