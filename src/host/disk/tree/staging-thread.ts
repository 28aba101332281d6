import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { cleanUpUnlessDone } from './process-lock.ts';
import {
  type BatchReply,
  type FailedCall,
  type FolderPart,
  type FullBatch,
  HASH_BYTES,
  SIGNALS,
} from './staged-batch.ts';

/** The thread that stages new folders while this one prints the next. */
export interface ThreadUse {
  /** The path of `stage-files.ts` as JavaScript. */
  readonly program: string;
  /** The number of new folders from which it is started. */
  readonly fromFolders: number;
}

/**
 * The thread for a tree of any size; `null` on a machine with one core, where it costs 0.1 s of CPU and gains nothing.
 *
 * @param program the path of `stage-files.ts` as JavaScript
 */
export const threadUse = (program: string): ThreadUse | null =>
  availableParallelism() > 1 ? { program, fromFolders: FROM_FOLDERS } : null;

/** With so many clusters, the thread that prints has a sixth less to do, and the other one costs a tenth more of CPU. */
const FROM_FOLDERS = 400;

/** A folder that is neither on disk nor staged, and its files by their paths below root. */
interface HandedOver extends Pick<FolderPart, 'folder' | 'at' | 'record'> {
  readonly files: ReadonlyMap<string, string>;
}

/** A folder whose files are all staged. */
export interface StagedFolder extends Pick<FolderPart, 'folder' | 'at' | 'record'> {
  /** The paths of the files below root. */
  readonly paths: readonly string[];
  /** The SHA-256 of each file, in hex. */
  readonly hashes: readonly string[];
  /** The SHA-256 of its record, in hex; `null` if it has none of its own. */
  readonly recordHash: string | null;
}

export interface StagingThread {
  /** False when it has ended, or could not be started: then it must get no more folders. */
  readonly isAlive: () => boolean;
  /** Hands over a folder. Waits while the thread has enough to do. */
  readonly add: (folder: HandedOver) => Promise<void>;
  /** The folders that were staged since the last call. */
  readonly staged: () => readonly StagedFolder[];
  /** Waits for all folders; returns those that are not staged because the thread has ended, or could not be started. */
  readonly finish: () => Promise<readonly string[]>;
  /** Ends the thread. It writes nothing after that. */
  readonly end: () => void;
}

/** The memory of a batch: some fifty folders, which are written in 20 ms. */
const BATCH_BYTES = 1 << 20;

/** The number of batches that are written or wait while another one is filled. */
const MAX_POSTED = 2;

/** The time in which the thread finishes the file that it writes, also on a slow disk. */
const STOP_MILLISECONDS = 10_000;

/** A batch that is being filled, or is written. */
interface Batch {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly parts: (FolderPart & { readonly paths: string[]; readonly below: string[]; isLast: boolean })[];
  readonly ends: number[];
}

export function startStagingThread(program: string): StagingThread {
  const signals = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const worker = tryWorker(program, signals.buffer);
  const free: ArrayBuffer[] = [];
  const posted: Batch[] = [];
  const handedOver = new Set<string>();
  const join = partJoiner();
  const staged: StagedFolder[] = [];
  let open: Batch | undefined;
  let failure: FailedCall | undefined;
  let hasEnded = worker === undefined;
  let onChange = (): void => undefined;
  const changes = (): Promise<void> =>
    new Promise((resolve) => {
      onChange = resolve;
    });
  const waitWhile = async (isTrue: () => boolean): Promise<void> => {
    while (!hasEnded && failure === undefined && isTrue()) await changes();
    if (failure !== undefined) throw asError(failure);
  };
  worker?.on('message', (reply: BatchReply) => {
    const batch = posted.shift();
    if (reply.kind === 'failed') failure ??= reply.failure;
    else if (batch !== undefined) {
      if (reply.bytes.byteLength === BATCH_BYTES) free.push(reply.bytes);
      for (const it of join(batch, reply)) {
        handedOver.delete(it.folder);
        staged.push(it);
      }
    }
    onChange();
  });
  const onEnd = (): void => {
    hasEnded = true;
    posted.length = 0;
    onChange();
  };
  // The reason does not matter, since this thread can do the same work.
  worker?.on('error', onEnd);
  worker?.on('exit', onEnd);
  const post = (): void => {
    if (open === undefined) return;
    const { bytes, parts, ends } = open;
    posted.push(open);
    open = undefined;
    const batch: FullBatch = { parts: parts.map(({ below: _, ...it }) => it), bytes: bytes.buffer, ends };
    if (!hasEnded) worker?.postMessage(batch, [bytes.buffer]);
  };
  /** The open batch, with room for so many bytes. */
  const batchFor = async (bytes: number): Promise<Batch> => {
    if (open !== undefined && bytes <= open.bytes.length - (open.ends.at(-1) ?? 0)) return open;
    post();
    await waitWhile(() => posted.length >= MAX_POSTED);
    const memory = bytes <= BATCH_BYTES ? (free.pop() ?? new ArrayBuffer(BATCH_BYTES)) : new ArrayBuffer(bytes);
    open = { bytes: Buffer.from(memory), parts: [], ends: [] };
    return open;
  };
  const end = (): void => {
    done();
    if (hasEnded) return;
    hasEnded = true;
    Atomics.store(signals, SIGNALS.stop, 1);
    Atomics.wait(signals, SIGNALS.busy, 1, STOP_MILLISECONDS);
    void worker?.terminate();
  };
  // When this process lets go of the process lock, another one may remove what is staged.
  const done = cleanUpUnlessDone(end);
  return {
    isAlive: () => !hasEnded,
    add: async ({ files, ...folder }) => {
      handedOver.add(folder.folder);
      let part: Batch['parts'][number] | undefined;
      let batch: Batch | undefined;
      for (const [path, text] of files) {
        const next = await batchFor(mostBytes(text));
        if (part === undefined || next !== batch) {
          part = { ...folder, paths: [], below: [], isLast: false };
          next.parts.push(part);
          batch = next;
        }
        const at = next.ends.at(-1) ?? 0;
        next.ends.push(at + next.bytes.write(text, at));
        part.paths.push(path.slice(folder.folder.length));
        part.below.push(path);
      }
      if (part !== undefined) part.isLast = true;
    },
    staged: () => staged.splice(0),
    finish: async () => {
      post();
      await waitWhile(() => posted.length > 0);
      return [...handedOver];
    },
    end,
  };
}

/** `undefined` where threads are forbidden, by Node or by the system. */
function tryWorker(program: string, workerData: SharedArrayBuffer): Worker | undefined {
  try {
    // It needs no environment, and no option of this process.
    return new Worker(program, { workerData, env: {}, execArgv: [] });
  } catch {
    return undefined;
  }
}

/** The most bytes that a text has in UTF-8, which takes no look at its characters. */
const mostBytes = (text: string): number => text.length * 3;

/** Returns a function that yields the folders of which a batch has the last part. */
function partJoiner(): (batch: Batch, reply: Extract<BatchReply, { kind: 'staged' }>) => Iterable<StagedFolder> {
  let [paths, hashes]: [string[], string[]] = [[], []];
  return function* ({ parts }, { hashes: ofBatch, records }) {
    const all = Buffer.from(ofBatch.buffer);
    let at = 0;
    for (const [index, { folder, at: stagedAt, record, below, isLast }] of parts.entries()) {
      for (const path of below) {
        paths.push(path);
        hashes.push(all.toString('hex', at, at + HASH_BYTES));
        at += HASH_BYTES;
      }
      if (!isLast) continue;
      yield { folder, at: stagedAt, record, paths, hashes, recordHash: records[index] ?? null };
      [paths, hashes] = [[], []];
    }
  };
}

/** The error that the call would have thrown in this thread. */
const asError = ({ message, code, path }: FailedCall): Error =>
  Object.assign(new Error(message), { code, ...(path === undefined ? {} : { path }) });
