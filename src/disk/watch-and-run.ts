import { type FSWatcher, watch } from 'node:fs';
import { asDiskError } from './disk-error.ts';

interface WatchRequest {
  /** Folders to watch: files are replaced by renaming when editors save, so the file itself would be lost. */
  readonly folders: readonly string[];
  /** Whether a change of a file of that name matters. */
  readonly matters: (name: string) => boolean;
  /** Runs once at the start, then after each change; never twice at a time. */
  readonly run: () => Promise<void>;
  /** Adds a listener that is called when the user interrupts; the result removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** Editors write a file in several steps, a few milliseconds apart; a run starts after so long without a change. */
const QUIET_MILLISECONDS = 50;

/** Runs again at each change until the user interrupts. A failure of `run` ends it. */
export function watchAndRun({ folders, matters, run, onInterrupt }: WatchRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let running = false;
    let again = false;
    let ended = false;
    const watchers: FSWatcher[] = [];
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      for (const it of watchers) it.close();
      stopListening();
      settle();
    };
    const rerun = async () => {
      if (running) {
        again = true;
        return;
      }
      running = true;
      try {
        do {
          again = false;
          await run();
        } while (again && !ended);
      } catch (error) {
        end(() => reject(error));
      }
      running = false;
    };
    const stopListening = onInterrupt(() => end(resolve));
    for (const folder of folders) {
      const fail = (error: unknown) => end(() => reject(asDiskError(error, folder)));
      try {
        const watcher = watch(folder, (_, name) => {
          // On some systems Node passes no name; then every change matters.
          if (name !== null && !matters(name)) return;
          clearTimeout(timer);
          timer = setTimeout(rerun, QUIET_MILLISECONDS);
        });
        watchers.push(watcher.on('error', fail));
      } catch (error) {
        fail(error);
      }
    }
    if (!ended) void rerun();
  });
}
