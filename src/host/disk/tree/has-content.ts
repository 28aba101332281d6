import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { withLf } from '../../../base/core/line-ends.ts';
import { NOT_THROUGH_LINKS } from '../open-input.ts';

/** Reused, since most files are small and a fleet has many. */
let piece = Buffer.allocUnsafeSlow(1 << 16);

/**
 * Whether there is a regular file with exactly these bytes, and not through a link. `false` for whatever is unusual, which
 * others find the name for: this is the common case, in four system calls.
 */
export function isFileWith(path: string, wanted: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, NOT_THROUGH_LINKS);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size !== wanted.length) return false;
    if (piece.length < wanted.length) piece = Buffer.allocUnsafeSlow(wanted.length * 2);
    return (
      readSync(file, piece, 0, wanted.length, 0) === wanted.length && wanted.compare(piece, 0, wanted.length) === 0
    );
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether a file of some size has a text, in whatever line ends. */
export function hasText(path: string, bytes: number, wanted: Buffer): boolean {
  if (bytes === wanted.length) return readFileSync(path).equals(wanted);
  // With `\r\n`, a file is longer by at most one byte a line, and by at least one.
  if (bytes < wanted.length || bytes > 2 * wanted.length) return false;
  return withLf(readFileSync(path, 'utf8')) === wanted.toString();
}
