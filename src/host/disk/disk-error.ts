/**
 * A failure of the environment: the disk, git, or the machine. It is neither a mistake in the topology nor a bug of weft,
 * so `front/` prints it with the hint and exits with 2.
 */
export class EnvironmentError extends Error {
  override readonly name: string = 'EnvironmentError';
  /** The remedy, shown to the user below the message. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** Codes of file system errors that are neither mistakes in the topology nor bugs of weft, each with a remedy. */
const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check the owner and the permissions',
  EPERM: 'check the owner and the permissions',
  EROFS: 'mount the file system with write access, or choose another folder',
  ENOSPC: 'free some space and run the command again',
  EDQUOT: 'free some space within your quota and run the command again',
  EIO: 'check the disk',
  EBUSY: 'close the program that uses it and run the command again',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENFILE: 'close other programs, or raise the limit of open files on this machine',
  ENOTDIR: 'check the path: a part of it is a file, not a folder',
  ENAMETOOLONG: 'choose a shorter name or a shorter path',
  ELOOP: 'check the symbolic links on the path: they form a loop',
};

const MESSAGES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'disk quota exceeded',
  EIO: 'input/output error',
  EBUSY: 'in use',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENOTDIR: 'not a folder',
  ENAMETOOLONG: 'name too long',
  ELOOP: 'too many symbolic links',
};

/** A file operation failed. The message names no path; the printer adds `path`. */
export class DiskError extends EnvironmentError {
  override readonly name = 'DiskError';
  readonly path: string;
  override readonly hint: string;
  /** Node's error code, for instance `EACCES`. */
  readonly code: string;

  constructor(code: string, path: string, cause?: unknown) {
    const hint = HINTS[code] ?? 'check the path';
    super(MESSAGES[code] ?? (code === 'ENOENT' ? 'no folder can be created there' : code), hint, cause);
    this.hint = hint;
    this.code = code;
    this.path = path;
  }
}

/** Node's code of an error; the empty string for an error without one. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/**
 * Returns a failed file operation as a `DiskError` if its cause is the environment; returns any other error unchanged,
 * as it may be a bug.
 */
export function asDiskError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof DiskError || !Object.hasOwn(HINTS, code)) return error;
  const failed = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : path;
  return new DiskError(code, failed, error);
}

/** git is missing, there is no repository, or the repository lacks the commit or the file. */
export class GitError extends EnvironmentError {
  override readonly name = 'GitError';
}
