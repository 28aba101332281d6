/** The number of files or items between two turns of the event loop: a few milliseconds of work, so that signals are handled. */
const BATCH = 256;

/** Returns a function that counts files and yields to the event loop after every batch of them. */
export function turns(): (files: number) => Promise<void> {
  let done = 0;
  return async (files) => {
    done += files;
    if (done < BATCH) return;
    done = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
}

/**
 * Calls `act` for each item, in order; `act` uses synchronous file calls. For many small files this is about four times
 * as fast as promises over libuv's four threads (20,000 cached files: 0.2 s against 0.75 s to stat and read), and it
 * cannot run out of file descriptors.
 */
export async function inBatches<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    act(item);
    if (++done % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
