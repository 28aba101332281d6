// The program of the thread that stages files. `staging-thread.ts` starts it.
import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { printRecord, recordRows } from '../../../base/core/print-records.ts';
import { stageFiles, writeNew } from './new-files.ts';
import {
  type BatchReply,
  type FailedCall,
  type FolderPart,
  type FullBatch,
  HASH_BYTES,
  SIGNALS,
} from './staged-batch.ts';

if (parentPort !== null) listen(parentPort, new Int32Array(workerData as SharedArrayBuffer));

function listen(port: NonNullable<typeof parentPort>, signals: Int32Array): void {
  const stage = batchStager(() => {
    if (Atomics.load(signals, SIGNALS.stop) !== 0) throw new Stopped();
  });
  port.on('message', (batch: FullBatch) => {
    Atomics.store(signals, SIGNALS.busy, 1);
    const reply = replyTo(() => stage(batch));
    Atomics.store(signals, SIGNALS.busy, 0);
    Atomics.notify(signals, SIGNALS.busy);
    if (reply === undefined) return;
    port.postMessage(reply, reply.kind === 'staged' ? [reply.bytes, reply.hashes.buffer] : []);
  });
}

class Stopped extends Error {}

/** `undefined` for a thread that was asked to stop. */
function replyTo(stage: () => BatchReply): BatchReply | undefined {
  try {
    return stage();
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    const failure = failedCall(error);
    if (failure === undefined) throw error;
    return { kind: 'failed', failure };
  }
}

function failedCall(error: unknown): FailedCall | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return { message: error.message, code: error.code, path };
}

/** @param checkStop called before each file */
function batchStager(checkStop: () => void): (batch: FullBatch) => BatchReply {
  /** The files of the folder that is not finished, with their hashes. */
  let [paths, fileHashes]: [string[], string[]] = [[], []];
  const finish = ({ record }: FolderPart): string | null => {
    const text = record === null ? '' : printRecord(recordRows(paths, fileHashes));
    [paths, fileHashes] = [[], []];
    if (record === null) return null;
    writeNew(record, Buffer.from(text));
    return hash('sha256', text);
  };
  return ({ parts, bytes, ends }) => {
    const all = Buffer.from(bytes);
    const hashes = Buffer.alloc(ends.length * HASH_BYTES);
    let first = 0;
    const records = parts.map((part) => {
      checkStop();
      const start = first;
      const bytesOf = (index: number): Buffer => {
        const file = start + index;
        const its = all.subarray(file === 0 ? 0 : ends[file - 1], ends[file]);
        const hex = hash('sha256', its);
        hashes.write(hex, file * HASH_BYTES, 'hex');
        paths.push(part.folder + part.paths[index]);
        fileHashes.push(hex);
        return its;
      };
      stageFiles({ at: part.at, paths: part.paths, bytesOf }, checkStop);
      first += part.paths.length;
      return part.isLast ? finish(part) : null;
    });
    return { kind: 'staged', hashes: hashes as Uint8Array<ArrayBuffer>, records, bytes };
  };
}
