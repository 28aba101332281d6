import { fstatSync, readlinkSync } from 'node:fs';
import { errorCode } from './disk-error.ts';

/** The destination of a stream of the process that is not a terminal. */
export type StreamTarget =
  /** A pipe, a socket or a device. */
  | { readonly kind: 'reader' }
  /** `path` is `null` where the system does not provide it. */
  | { readonly kind: 'file'; readonly path: string | null }
  /** The stream is closed or the null device, so everything written to it is lost. */
  | { readonly kind: 'nothing' };

/**
 * Returns the destination of a stream. Node replaces a stream that is closed at start by the null device, so both look
 * alike. Source: nodejs/node src/node.cc.
 */
export function streamTarget(descriptor: number): StreamTarget {
  const path = pathOf(descriptor);
  if (path === '/dev/null') return { kind: 'nothing' };
  try {
    return fstatSync(descriptor).isFile() ? { kind: 'file', path } : { kind: 'reader' };
  } catch (error) {
    if (errorCode(error) === 'EBADF') return { kind: 'nothing' };
    throw error;
  }
}

/**
 * The path of an open file on Linux; `null` elsewhere, where a file cannot be located from its descriptor. Source:
 * proc_pid_fd(5).
 */
function pathOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}
