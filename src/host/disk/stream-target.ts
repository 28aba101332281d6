import { fstatSync, readlinkSync } from 'node:fs';
import { errorCode } from './disk-error.ts';

/** What a stream of the process leads to, if it is no terminal. */
export type StreamTarget =
  /** A pipe, a socket or a device. */
  | { readonly kind: 'reader' }
  /** `path` is `null` where the system does not provide it. */
  | { readonly kind: 'file'; readonly path: string | null }
  /** It is closed or the null device, so whatever is written is lost. */
  | { readonly kind: 'nothing' };

/** Node replaces a stream that is closed at start by the null device, so both look alike. Source: nodejs/node src/node.cc. */
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

/** Linux has it; elsewhere a file cannot be located from its descriptor. Source: proc_pid_fd(5). */
function pathOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}
