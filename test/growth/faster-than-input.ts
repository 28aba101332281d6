import { countWork, totalOf, type Work } from './count-work.ts';

/** The allowed total cost of four times the input: four times as much, and the depth of a search tree. */
const MOST_IN_ALL = 4.6;

/**
 * The allowed cost of one function or loop: sorting four times a hundred things takes 5.2 times as many comparisons.
 */
const MOST_IN_PART = 6;

/** The share of all work below which even a tenfold cost would not be noticed. */
const SMALL_SHARE = 0.0005;

/**
 * The work that grows faster than the input from `size` to four times `size`: everything together, and each function or
 * loop by itself, as the square of a small number hides in a large sum. Empty when the work is linear. `load` imports
 * with `import()` what is counted, and returns what makes the input of a size, and then what to run.
 */
export function fasterThanInput(
  size: number,
  load: () => Promise<(size: number) => () => unknown>,
): Promise<readonly string[]> {
  return countWork(async (count) => {
    const jobOf = await load();
    const [once, fourTimes] = [jobOf(size), jobOf(4 * size)];
    // Caches that are filled at first use are no part of the work, and networks that were read before are known.
    await once();
    await fourTimes();
    const small = await count(once);
    const large = await count(fourTimes);
    const [before, after] = [totalOf(small), totalOf(large)];
    const all = after > before * MOST_IN_ALL ? [`everything: from ${before} to ${after}`] : [];
    return [...all, ...partsThatGrow(small, large)];
  });
}

function partsThatGrow(small: Work, large: Work): string[] {
  const least = totalOf(large) * SMALL_SHARE;
  return (
    [...large]
      // V8 begins to count some functions late, those that are created for each item; of these only the sum is
      // compared.
      .map(([name, count]) => ({ name, count, before: small.get(name) ?? Number.POSITIVE_INFINITY }))
      .filter(({ count, before }) => count > least && count > before * MOST_IN_PART)
      .sort((a, b) => b.count - a.count)
      .map(({ name, count, before }) => `${name}: from ${before} to ${count}`)
  );
}
