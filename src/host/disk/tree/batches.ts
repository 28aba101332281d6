/** Files between two turns of the event loop: a few milliseconds of work, so that signals get through. */
const FILES = 256;

/** Gives the event loop a turn whenever enough files were done. */
export function turns(): (files: number) => Promise<void> {
  let done = 0;
  return async (files) => {
    done += files;
    if (done < FILES) return;
    done = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
}

/** Items between two turns of the event loop: a few milliseconds of work, so that signals get through. */
const BATCH = 256;

/**
 * Does something to each item, in order, with synchronous file calls. For many small files that is about four times as
 * fast as promises over libuv's four threads (20,000 warm files: 0.2 s against 0.75 s to stat and read), and nothing can
 * run out of file descriptors.
 */
export async function inBatches<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    act(item);
    if (++done % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
