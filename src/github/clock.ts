/** Time as this room sees it. `front/` has the real one, and tests have one that never waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}
