import { existsSync, type FSWatcher, watch } from 'node:fs';
import { asDiskError } from './disk-error.ts';

interface WatchRequest {
  /**
   * Folders to watch, with whether a change of a file of some name in them matters; asked before each run, since an edit may add
   * some. Files are replaced by renaming when editors save, so the file itself would be lost.
   */
  readonly folders: () => Promise<ReadonlyMap<string, (name: string) => boolean>>;
  /** Runs once at the start, then after each change; never twice at a time. */
  readonly run: () => Promise<void>;
  /** Adds a listener that is called when the user interrupts; the result removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** Editors write a file in several steps, a few milliseconds apart; a run starts after so long without a change. */
const QUIET_MILLISECONDS = 25;

/** Runs again at each change until the user interrupts. A failure of `run` ends it. */
export function watchAndRun({ folders, run, onInterrupt }: WatchRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let running = false;
    let again = false;
    let ended = false;
    let watchers: readonly FSWatcher[] = [];
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      for (const it of watchers) it.close();
      stopListening();
      settle();
    };
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(rerun, QUIET_MILLISECONDS);
    };
    // A folder that was removed and made again is another one, so all are watched anew; the run after it sees what this missed.
    const watchAll = async () => {
      const found = [...(await folders())].filter(([folder]) => existsSync(folder));
      // The last watchers are kept where no folder is left: they keep the process.
      if (ended || found.length === 0) return;
      for (const it of watchers) it.close();
      watchers = found.map(([folder, matters]) =>
        watchFolder(folder, { matters, changed, failed: (error) => end(() => reject(error)) }),
      );
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
          await watchAll();
          if (!ended) await run();
        } while (again && !ended);
      } catch (error) {
        end(() => reject(error));
      }
      running = false;
    };
    const stopListening = onInterrupt(() => end(resolve));
    void rerun();
  });
}

interface FolderListener {
  readonly matters: (name: string) => boolean;
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

function watchFolder(folder: string, { matters, changed, failed }: FolderListener): FSWatcher {
  try {
    // On some systems Node passes no name; then every change matters.
    const watcher = watch(folder, (_, name) => {
      if (name === null || matters(name)) changed();
    });
    return watcher.on('error', (error) => failed(asDiskError(error, folder)));
  } catch (error) {
    throw asDiskError(error, folder);
  }
}
