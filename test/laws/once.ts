import { afterAll } from 'vitest';

/**
 * The function with every result cached for all laws of a file: laws that begin with the same arbitrary draw the same
 * examples. For functions of plain values without effects. Nothing is kept when the file is done.
 */
export function once<Args extends readonly unknown[], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const made = new Map<string, { readonly result: Result }>();
  afterAll(() => made.clear());
  return (...args) => {
    const key = JSON.stringify(args);
    const known = made.get(key) ?? { result: make(...args) };
    made.set(key, known);
    return known.result;
  };
}
