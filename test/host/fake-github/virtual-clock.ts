/** A clock that tests advance: no test sleeps. Fits `Clock` of src/host/http/clock.ts. */
export interface VirtualClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Done at once; what a client slept is seen in `slept`. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Calls `tick` whenever that much time has passed, until the returned function is called. */
  readonly every: (milliseconds: number, tick: () => void) => () => void;
  readonly advance: (milliseconds: number) => void;
  readonly slept: readonly number[];
}

interface Timer {
  readonly period: number;
  readonly tick: () => void;
  next: number;
}

export function virtualClock(start = '2026-01-01T00:00:00Z'): VirtualClock {
  let now = Date.parse(start);
  const slept: number[] = [];
  const timers = new Set<Timer>();
  const advance = (milliseconds: number): void => {
    now += milliseconds;
    for (const timer of timers) {
      for (; timer.next <= now; timer.next += timer.period) timer.tick();
    }
  };
  return {
    now: () => now,
    advance,
    every: (period, tick) => {
      const timer = { period, next: now + period, tick };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      advance(milliseconds);
    },
    slept,
  };
}
