/** What `out/` shall hold. */
export interface TreeRequest {
  /** The folder `out/`; it need not exist, and it may itself be a symbolic link to a folder. */
  readonly root: string;
  /** Path below root -> text, complete for the scope. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Top-level names that `files` speaks for; `null` = the whole tree. With `--cluster rome` it is `['rome']`: only rome's
   * folder and rome's rows of bundle.json are touched.
   */
  readonly scope: readonly string[] | null;
  /** The topology's lock file, written in the same go, before the tree, when its bytes differ. */
  readonly lockFile: LockFileRequest | null;
}

export interface LockFileRequest {
  readonly path: string;
  readonly text: string;
  /** What was read before deciding, `null` for no file: what another weft decided meanwhile must not be lost. */
  readonly before?: string | null;
}

/** Why a tree cannot be written as it is. Nothing has been changed on disk when there is one. */
export interface TreeProblem {
  readonly kind:
    | 'bad-path' //       the path would leave out/, or lies in weft's own folder
    | 'foreign-file' //   weft did not write what is there, and its bytes differ from what would be written
    | 'symbolic-link' //  never followed, never replaced
    | 'directory' //      a folder with something of somebody else where a file goes
    | 'not-a-file' //     a file where a folder goes, or a pipe, socket or device where a file goes
    | 'lock-changed' //   another weft has decided something since the lock was read
    | 'broken-record'; // bundle.json or the journal cannot be read
  /** As the user would type it: with the root in front, unless it is the path itself that is wrong. */
  readonly path: string;
  /** What is wrong; small first letter, no full stop, no advice. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}
