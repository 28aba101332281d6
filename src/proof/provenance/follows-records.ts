/**
 * Whether a record of written files follows from records that are known. Compiling one cluster, and merging two branches, mix
 * lines of several: each line must be known, and what all of them have must be there.
 */
export function followsRecords(text: string, known: readonly string[]): boolean {
  if (known.length === 0) return false;
  const lines = linesOf(text);
  const sets = known.map(linesOf);
  const [first = new Set<string>(), ...others] = sets;
  const everywhere = [...first].filter((it) => others.every((set) => set.has(it)));
  return [...lines].every((it) => sets.some((set) => set.has(it))) && everywhere.every((it) => lines.has(it));
}

/** A comma separates entries, so that the last one has none. */
const linesOf = (text: string): ReadonlySet<string> => new Set(text.split('\n').map((it) => it.replace(/,$/, '')));
