/** Time as this room sees it. `cli/` brings the real one, tests one that never waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}
