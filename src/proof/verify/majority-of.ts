import type { FoundText } from './kube-object.ts';

/** The most frequent text, at its first place; of equally frequent ones the first. Empty when no file has any. */
export function majorityOf(found: readonly FoundText[]): readonly FoundText[] {
  const counts = new Map<string, number>();
  for (const { text } of found) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return found.filter((it) => it.text !== undefined && it.text === most?.[0]).slice(0, 1);
}
