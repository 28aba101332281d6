/** The most frequent value, the first of several; `undefined` without items. */
export function mostCommon<T>(items: readonly T[]): { readonly value: T; readonly count: number } | undefined {
  const counts = new Map<string, { readonly value: T; count: number }>();
  for (const value of items) {
    const key = JSON.stringify(value);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count++;
  }
  let best: { readonly value: T; readonly count: number } | undefined;
  for (const it of counts.values()) if (best === undefined || it.count > best.count) best = it;
  return best;
}

/** The first item of the largest group of equal ones; `undefined` without items. */
export function mostCommonBy<T>(items: readonly T[], textOf: (item: T) => string): T | undefined {
  const counts = new Map<string, { readonly first: T; count: number }>();
  for (const it of items) {
    const found = counts.get(textOf(it));
    if (found === undefined) counts.set(textOf(it), { first: it, count: 1 });
    else found.count++;
  }
  let most: { readonly first: T; readonly count: number } | undefined;
  for (const it of counts.values()) if (most === undefined || it.count > most.count) most = it;
  return most?.first;
}
