/** Files that are handed to the thread that stages them. */
export interface FullBatch {
  readonly parts: readonly FolderPart[];
  /** The texts in UTF-8, one after the other. The thread that has a batch owns this memory. */
  readonly bytes: ArrayBuffer;
  /** The offset at which each text ends. */
  readonly ends: readonly number[];
}

/** Files of one folder, which may be in several batches. */
export interface FolderPart {
  /** The folder below root. */
  readonly folder: string;
  /** The absolute path at which it is staged. */
  readonly at: string;
  /** The paths of the files below the folder; they begin with `/`. */
  readonly paths: readonly string[];
  readonly isLast: boolean;
  /** The absolute path at which the record of the folder is staged; `null` if it has none of its own. */
  readonly record: string | null;
}

/** The answer to a batch. Batches are answered in their order. */
export type BatchReply =
  | {
      readonly kind: 'staged';
      /** The SHA-256 of each file. */
      readonly hashes: Uint8Array<ArrayBuffer>;
      /** The SHA-256 of the record of each part that is the last of a folder, in hex. */
      readonly records: readonly (string | null)[];
      /** The memory of the batch, which can be filled again. */
      readonly bytes: ArrayBuffer;
    }
  | { readonly kind: 'failed'; readonly failure: FailedCall };

/** An error of the system. An `Error` that is passed between threads loses its code and its path. */
export interface FailedCall {
  readonly message: string;
  readonly code: string;
  readonly path: string | undefined;
}

/** Indices of numbers that both threads read and write. */
export const SIGNALS = {
  /** Not 0 when the thread must write nothing more. */
  stop: 0,
  /** Not 0 while the thread writes. */
  busy: 1,
} as const;

export const HASH_BYTES = 32;
