/** Time that passes only when somebody says so: no test sleeps. Fits `Clock` of src/github/clock.ts. */
export interface VirtualClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Done at once; what a client slept is seen in `slept`. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly advance: (milliseconds: number) => void;
  readonly slept: readonly number[];
}

export function virtualClock(start = '2026-01-01T00:00:00Z'): VirtualClock {
  let now = Date.parse(start);
  const slept: number[] = [];
  const advance = (milliseconds: number): void => {
    now += milliseconds;
  };
  return {
    now: () => now,
    advance,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      advance(milliseconds);
    },
    slept,
  };
}
