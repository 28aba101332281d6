/** How many results are kept; the distinct networks of a large fleet are far fewer. */
const KEPT = 50_000;

/** A pure function that keeps its results, for texts that a fleet repeats often. */
export function memoize<Argument extends string | number, Result>(
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  return (argument) => {
    const old = known.get(argument);
    if (old !== undefined) return old;
    if (known.size >= KEPT) known.clear();
    const fresh = compute(argument);
    known.set(argument, fresh);
    return fresh;
  };
}
