import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../http/retries.ts';

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
  every: (milliseconds, tick) => {
    // A request that hangs keeps the process alive anyway.
    const timer = setInterval(tick, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
