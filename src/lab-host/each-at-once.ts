/**
 * Does something with every item, a few at a time; the answers are in the order of the items. When one fails no other
 * begins, and what has begun comes to its end before the failure is told: cleaning up must not race with building.
 */
export async function eachAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const answers: R[] = [];
  const failures: unknown[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (failures.length > 0) return;
      try {
        answers[index] = await act(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return answers;
}
