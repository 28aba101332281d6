import { EnvironmentError } from './environment-error.ts';

/** What the file system can answer that is neither the user's topology nor a bug of ours, with what to do about it. */
const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check the owner and the permissions',
  EPERM: 'check the owner and the permissions',
  EROFS: 'the file system is mounted read-only',
  ENOSPC: 'free some space, then run it again',
  EDQUOT: 'free some space below your quota, then run it again',
  EIO: 'check the disk',
  EBUSY: 'something else uses it; run it again when that is done',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  ENOTDIR: 'a part of the path is a file where a folder is needed',
  ENAMETOOLONG: 'choose a shorter name or a shorter path',
  ELOOP: 'symbolic links on the path lead in a circle',
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

/** A file operation failed. The message names no path; whoever prints it puts `path` in front. */
export class DiskError extends EnvironmentError {
  override readonly name = 'DiskError';
  readonly path: string;
  override readonly hint: string;
  /** Node's code, `EACCES` for instance. */
  readonly code: string;

  constructor(code: string, path: string, cause?: unknown) {
    const hint = HINTS[code] ?? 'check the path';
    super(MESSAGES[code] ?? (code === 'ENOENT' ? 'no folder can be made there' : code), hint, cause);
    this.hint = hint;
    this.code = code;
    this.path = path;
  }
}

/** Node's code of an error, or the empty string. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A failed file operation as a `DiskError` when the world is to blame for it; anything else unchanged, as it may be a bug. */
export function asDiskError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof DiskError || !Object.hasOwn(HINTS, code)) return error;
  const failed = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : path;
  return new DiskError(code, failed, error);
}
