import { createHash } from 'node:crypto';

/** What Liqo adds to a name that is unique in one cluster only: the first six bytes of a hash, in hexadecimal. */
export const hashOf = (cluster: string): string => createHash('sha256').update(cluster).digest('hex').slice(0, 12);
