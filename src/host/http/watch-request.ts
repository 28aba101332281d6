import type { Waiting } from './clock.ts';

/** Milliseconds. Most requests are answered within one second, and a limit may last for minutes. */
const INTERVAL_MILLISECONDS = 10_000;

/** After how many intervals a line is printed: soon, and then once a minute. */
const isDue = (intervals: number): boolean => intervals === 1 || intervals === 3 || intervals % 6 === 0;

/** Reports what weft waits for, as long as a request takes. The returned function ends that. */
export function watchRequest({ clock, notify }: Waiting, forge: string, operation: string): () => void {
  let intervals = 0;
  return clock.every(INTERVAL_MILLISECONDS, () => {
    intervals += 1;
    const seconds = (intervals * INTERVAL_MILLISECONDS) / 1000;
    if (isDue(intervals)) notify(`still waiting for ${forge} after ${seconds} seconds: ${operation}`);
  });
}
