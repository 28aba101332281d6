/** Path below `out/` to text. */
export type Files = ReadonlyMap<string, string>;

/** The lines of a lock, by key. */
export type Decisions = ReadonlyMap<string, string>;
