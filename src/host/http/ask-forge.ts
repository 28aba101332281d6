import type { ForgeError } from '../forge/forge-error.ts';
import type { Waiting } from './clock.ts';

/** Responses that are no failure, by status or by words of the forge. */
type Answers<T> = Readonly<Record<string, T>>;

/** How every part of a forge makes its requests. */
export interface AskForge {
  /** Every failure is thrown as a `ForgeError` with a hint, which names the operation. */
  readonly ask: <T>(operation: string, request: () => Promise<T>, unless?: Answers<T>) => Promise<T>;
  /** Creates something that must not exist twice: after an unanswered request, weft looks it up first. */
  readonly makeOnce: <T>(make: () => Promise<T>, find: () => Promise<T | undefined>) => Promise<T>;
}

interface Asked extends Waiting {
  /** As messages name it. */
  readonly forge: string;
  /** An error of a request as an error with a hint. Any other error is a bug and is thrown unchanged. */
  readonly forgeErrorOf: (error: unknown, operation: string) => ForgeError;
}

/** Attempts to create an object that is missing after an unanswered request. */
const MAX_ATTEMPTS = 4;
const RETRY_WAIT_MILLISECONDS = 2000;

export function askForge({ forge, forgeErrorOf, ...waiting }: Asked): AskForge {
  return {
    ask: async (operation, request, unless = {}) => {
      const stopWatching = watchRequest(waiting, forge, operation);
      try {
        return await request();
      } catch (error) {
        const failure = forgeErrorOf(error, operation);
        for (const [words, answer] of Object.entries(unless)) {
          if (words === String(failure.status) || failure.reason.includes(words)) return answer;
        }
        throw failure;
      } finally {
        stopWatching();
      }
    },
    makeOnce: async (make, find) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await make();
        } catch (error) {
          const { failure } = forgeErrorOf(error, '');
          if (failure !== 'unreachable' || attempt >= MAX_ATTEMPTS) throw error;
          await waiting.clock.sleep(RETRY_WAIT_MILLISECONDS * attempt);
          const made = await find();
          if (made !== undefined) return made;
        }
      }
    },
  };
}

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
