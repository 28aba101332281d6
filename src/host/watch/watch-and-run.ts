import { existsSync, type FSWatcher, watch } from 'node:fs';
import { asDiskError } from '../disk/disk-error.ts';

interface WatchRequest {
  /**
   * The folders to watch, each with a test that is true for the names of files whose changes matter. Called before each
   * run, because an edit may add folders. Folders are watched instead of files, because editors replace files by
   * renaming.
   */
  readonly folders: () => Promise<ReadonlyMap<string, (name: string) => boolean>>;
  /** Runs once at the start, then after each change; never twice at the same time. */
  readonly run: () => Promise<void>;
  /** Adds a listener that is called when the user interrupts; returns a function that removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/**
 * The time without changes after which a run starts. Editors write a file in several steps, a few milliseconds apart.
 */
const QUIET_MILLISECONDS = 25;

/** Runs again at each change until the user interrupts. A failure of `run` rejects the promise. */
export function watchAndRun({ folders, run, onInterrupt }: WatchRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let running = false;
    let isChangedMeanwhile = false;
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
    // A folder that was removed and created again is a new folder, so all folders are watched again. The run that follows
    // covers changes that were missed meanwhile.
    const watchAll = async () => {
      const found = [...(await folders())].filter(([folder]) => existsSync(folder));
      // When no folder is left, the last watchers are kept, because they keep the process alive.
      if (ended || found.length === 0) return;
      for (const it of watchers) it.close();
      watchers = found.map(([folder, matters]) =>
        watchFolder(folder, { matters, changed, failed: (error) => end(() => reject(error)) }),
      );
    };
    const rerun = async () => {
      if (running) {
        isChangedMeanwhile = true;
        return;
      }
      running = true;
      try {
        do {
          isChangedMeanwhile = false;
          await watchAll();
          if (!ended) await run();
        } while (isChangedMeanwhile && !ended);
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
