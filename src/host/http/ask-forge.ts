import type { ForgeError } from '../forge/forge-error.ts';
import type { Waiting } from './clock.ts';

/** Responses that are expected results instead of failures, by status or by words in the forge's message. */
type Answers<T> = Readonly<Record<string, T>>;

/** The functions through which every part of a forge sends its requests. */
export interface AskForge {
  /** Sends a request; throws every failure as a `ForgeError` with a hint, which names the operation. */
  readonly ask: <T>(operation: string, request: () => Promise<T>, unless?: Answers<T>) => Promise<T>;
  /** Creates something that must not exist twice: after an unanswered request, `find` looks it up first. */
  readonly makeOnce: <T>(make: () => Promise<T>, find: () => Promise<T | undefined>) => Promise<T>;
}

interface Asked extends Waiting {
  /** The name of the forge in messages. */
  readonly forge: string;
  /**
   * Converts an error of a request into an error with a hint; throws any other error unchanged, because it is a bug.
   */
  readonly forgeErrorOf: (error: unknown, operation: string) => ForgeError;
}

/** The number of attempts to create an object that is still missing after an unanswered request. */
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

/** The interval between checks of a waiting request. Most are answered in a second; a rate limit takes minutes. */
const INTERVAL_MILLISECONDS = 10_000;

/** True for the intervals after which a line is printed: early at first, then once a minute. */
const isDue = (intervals: number): boolean => intervals === 1 || intervals === 3 || intervals % 6 === 0;

/** Prints lines while a request is waiting. The returned function stops this. */
export function watchRequest({ clock, notify }: Waiting, forge: string, operation: string): () => void {
  let intervals = 0;
  return clock.every(INTERVAL_MILLISECONDS, () => {
    intervals += 1;
    const seconds = (intervals * INTERVAL_MILLISECONDS) / 1000;
    if (isDue(intervals)) notify(`still waiting for ${forge} after ${seconds} seconds: ${operation}`);
  });
}
