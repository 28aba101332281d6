import { createHash } from 'node:crypto';

/** Bytes of the hash that are part of a name. */
const HASH_BYTES = 6;

/**
 * What stands for a cluster in a name that has no room for its ID, in hexadecimal.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const clusterHash = (cluster: string): string =>
  createHash('sha256')
    .update(cluster)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES);
