/** The time for requests. `front/` has the real clock, and tests have one that never waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}
