/** The requested content of `out/`. */
export interface TreeRequest {
  /** The folder `out/`; it need not exist, and it may itself be a symbolic link to a folder. */
  readonly root: string;
  /** Path below root -> text, complete for the scope. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Top-level names that `files` covers; `null` means the whole tree. With `--cluster rome` it is `['rome']`: only rome's
   * folder and rome's record are touched.
   */
  readonly scope: readonly string[] | null;
  /** The topology's lock file, written in the same run, before the tree, if its bytes differ. */
  readonly lockFile: LockFileRequest | null;
}

interface LockFileRequest {
  readonly path: string;
  readonly text: string;
  /** The text that was read before deciding, `null` for no file: decisions of another run must not be lost. */
  readonly before?: string | null;
}

/** Why a tree cannot be written. If there is a problem, nothing has changed on disk. */
export interface TreeProblem {
  readonly kind:
    | 'bad-path' //       the path would leave out/, or is in weft's own folder
    | 'foreign-file' //   weft did not write the file there, and its bytes differ
    | 'symbolic-link' //  never followed, never replaced
    | 'directory' //      a folder with foreign files at the path of a file
    | 'not-a-file' //     a file at the path of a folder, or a pipe, socket or device at the path of a file
    | 'lock-changed' //   another run has changed the lock since it was read
    | 'lock-in-the-way' // the lock would be at the path of a bundle file, or in weft's own folder
    | 'broken-record'; // a record or the journal cannot be read
  /** As the user would type it: with the root in front, unless it is the path itself that is wrong. */
  readonly path: string;
  /** What is wrong; small first letter, no full stop, no advice. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}
