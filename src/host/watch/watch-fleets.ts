import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Source } from '../../base/source/source.ts';
import { bundleMemory } from '../../bundle/emit/emit-bundle.ts';
import { READERS } from '../../compile.ts';
import { lockMemory } from '../../fleet/ipam/assign-addresses.ts';
import { includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import type { CompileMemory } from '../app/compile-topology.ts';
import type { TopologyFiles } from '../app/find-topology.ts';
import type { TextReader } from '../app/ports.ts';
import { asDiskError } from '../disk/disk-error.ts';
import { areSameStamps, type Stamp, stampAt } from '../disk/tree/stamps.ts';
import type { EntryKind } from '../disk/tree/tree-path.ts';
import type { FolderContent, TreeMemory } from '../disk/tree/tree-request.ts';

/** The memory of a process that compiles the same topologies repeatedly. */
export interface Kept {
  readonly rebuilds: Required<CompileMemory>;
  readonly tree: TreeMemory;
}

interface WatchedFleets {
  /** The working folder, which paths of topologies are relative to. */
  readonly cwd: string;
  readonly files: TextReader;
  readonly topologies: readonly TopologyFiles[];
  readonly compile: (kept: Kept) => Promise<void>;
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** Compiles at the start and after each edit, until the user interrupts. */
export function watchFleets({ cwd, files, topologies, compile, onInterrupt }: WatchedFleets): Promise<void> {
  const kept: Kept = { rebuilds: rebuildMemory(), tree: treeMemory() };
  return watchAndRun({
    onInterrupt,
    folders: async () => {
      const watched = [...(await watchedFolders(files, topologies))];
      return new Map(watched.map(([folder, matters]) => [resolve(cwd, folder), matters]));
    },
    run: () => compile(kept),
  });
}

/** True when a change of a file or folder with that name matters. */
type Matters = (name: string) => boolean;

/**
 * The folders whose changes affect the compiled topologies, by path as the user types it. Every folder on the way to an
 * included file is one of them, even when it is missing, because it may be created.
 */
async function watchedFolders(
  reader: TextReader,
  topologies: readonly TopologyFiles[],
): Promise<ReadonlyMap<string, Matters>> {
  const rules = new Map<string, Matters[]>();
  const watch = (folder: string, matters: Matters): void => {
    rules.set(folder, [...(rules.get(folder) ?? []), matters]);
  };
  for (const { topology, keys } of topologies) {
    const own = dirname(topology);
    const names = [basename(topology), basename(keys)];
    watch(own, (it) => names.includes(it));
    const read = await reader.readText(topology);
    for (const { value } of read.kind === 'ok' ? includesOf({ path: topology, text: read.text }) : []) {
      const steps = value.split('/').filter((it) => it !== '');
      for (const [i, step] of steps.entries()) watch(join(own, ...steps.slice(0, i)), (it) => it === step);
      if (isFolder(value)) watch(join(own, ...steps), isIncludedName);
    }
  }
  return new Map([...rules].map(([folder, them]) => [folder, (name) => them.some((it) => it(name))]));
}

export const rebuildMemory = (): Required<CompileMemory> => ({
  // An edit seldom changes more than one file.
  readers: {
    topology: rememberLast(READERS.topology),
    keys: rememberLast(READERS.keys),
    identities: rememberLast(READERS.identities),
    lock: rememberLast(READERS.lock),
  },
  emit: bundleMemory(),
  lockOf: lockMemory(),
});

/**
 * A reader that gives the same value again while a file, and those that are read together with it, have the same texts, for a
 * process that reads its inputs again and again.
 */
function rememberLast<T>(
  read: (source: Source, others: readonly Source[]) => T,
): (source: Source, others?: readonly Source[]) => T {
  const byPath = new Map<string, { readonly sources: readonly Source[]; readonly value: T }>();
  return (source, others = []) => {
    const sources = [source, ...others];
    const last = byPath.get(source.path);
    if (last !== undefined && areSameSources(last.sources, sources)) return last.value;
    const value = read(source, others);
    byPath.set(source.path, { sources, value });
    return value;
  };
}

const areSameSources = (some: readonly Source[], others: readonly Source[]): boolean =>
  some.length === others.length && some.every((it, i) => it.path === others[i]?.path && it.text === others[i].text);

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
function watchAndRun({ folders, run, onInterrupt }: WatchRequest): Promise<void> {
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

interface Seen<T> {
  readonly content: T;
  readonly stamp: Stamp;
}

interface RememberedFolder {
  readonly version: object | string;
  readonly content: FolderContent;
}

/** Trusts a file or folder whose stamp is the same, unless it is so young that it may have changed since. */
export function treeMemory(): TreeMemory {
  const files = stamped<string>();
  const lists = stamped<ReadonlyMap<string, EntryKind>>();
  const folders = new Map<string, RememberedFolder>();
  return {
    isEqual: (path, content, compare) => {
      const known = files.look(path);
      if (known.content === content) return true;
      const isEqual = compare();
      known.is(isEqual ? content : undefined);
      return isEqual;
    },
    entriesOf: (path, read) => {
      const known = lists.look(path);
      if (known.content !== undefined) return known.content;
      const entries = read();
      known.is(entries);
      return entries;
    },
    contentOf: (path, versionOf, read) => {
      const [before, version] = [folders.get(path), versionOf()];
      if (version !== undefined && before?.version === version) return before.content;
      const content = read();
      if (version !== undefined) folders.set(path, { version, content });
      return content;
    },
  };
}

interface Look<T> {
  /** The content at the last look, if it has not changed since. */
  readonly content: T | undefined;
  /** Records the content that was found after this look. */
  readonly is: (content: T | undefined) => void;
}

/** Remembers a value per path for as long as the file's stamp is the same. */
function stamped<T>(): { readonly look: (path: string) => Look<T> } {
  const seen = new Map<string, Seen<T>>();
  return {
    look: (path) => {
      const now = stampAt(path);
      const before = seen.get(path);
      const isUnchanged = before !== undefined && now !== undefined && areSameStamps(before.stamp, now.stamp);
      return {
        content: isUnchanged ? before.content : undefined,
        is: (content) => {
          if (content !== undefined && now?.isOld) seen.set(path, { content, stamp: stampOf(now.stamp) });
          else seen.delete(path);
        },
      };
    },
  };
}

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Stamp): Stamp => ({ dev, ino, size, mtimeNs, ctimeNs });
