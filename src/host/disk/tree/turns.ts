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
