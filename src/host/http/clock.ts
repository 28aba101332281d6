/** The time for requests. `front/` has the real clock, and tests have one that never waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Calls `tick` again and again until the returned function is called. */
  readonly every: (milliseconds: number, tick: () => void) => () => void;
}

/** How weft waits for a forge. */
export interface Waiting {
  readonly clock: Clock;
  /** Takes lines for people who wait. */
  readonly notify: (line: string) => void;
}
