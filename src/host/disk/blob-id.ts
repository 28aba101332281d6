import { createHash, type Hash } from 'node:crypto';

/** How a repository names its objects. Source: git, Documentation/technical/hash-function-transition. */
export type ObjectFormat = 'sha1' | 'sha256';

/** The name that git gives to these bytes. */
export function blobId(bytes: string | Buffer, format: ObjectFormat): string {
  const whole = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return blobHash(whole.length, format).update(whole).digest('hex');
}

/** The same for bytes that come in pieces: their number must be known before. */
export const blobHash = (size: number, format: ObjectFormat): Hash => createHash(format).update(`blob ${size}\0`);
