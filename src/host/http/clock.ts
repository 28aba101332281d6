/** The time source for requests. `front/` has the real clock; tests have one that never waits. */
export interface Clock {
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Calls `tick` repeatedly until the returned function is called. */
  readonly every: (milliseconds: number, tick: () => void) => () => void;
}

/** The means with which weft waits for a forge. */
export interface Waiting {
  readonly clock: Clock;
  /** Prints a line for a user who waits. */
  readonly notify: (line: string) => void;
}
