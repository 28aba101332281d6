/**
 * Calls a function for every item, a few at a time; results are in the order of the items. After a failure no other call
 * starts, and calls that have started are awaited before it is thrown: cleaning up must not race with building.
 */
export async function mapConcurrently<T, R>(
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
