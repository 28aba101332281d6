import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../github/clock.ts';

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
};
