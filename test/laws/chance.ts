/** Numbers from 0 to below 1 that a seed decides (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let it = Math.imul(state ^ (state >>> 15), state | 1);
    it = (it + Math.imul(it ^ (it >>> 7), it | 61)) ^ it;
    return ((it ^ (it >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled<T>(items: readonly T[], next: () => number): readonly T[] {
  const left = [...items];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [left[i], left[j]] = [left[j] as T, left[i] as T];
  }
  return left;
}

/** A value with the keys of every map in another order. Lists stay as they are. */
export function withShuffledKeys<T>(value: T, next: () => number): T {
  if (Array.isArray(value)) return value.map((it) => withShuffledKeys(it, next)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, it]) => [key, withShuffledKeys(it, next)] as const);
  return Object.fromEntries(shuffled(entries, next)) as T;
}
