import { createHash } from 'node:crypto';

/** Bytes of the hash that are part of the name. */
const HASH_BYTES = 6;

/**
 * The user that a slice acts as in its provider: CN of its certificate, and name of its Quota. The name of a slice is unique
 * in its consumer only, so a part of the consumer's hash follows it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export function sliceUser(slice: string, consumer: string): string {
  const hash = createHash('sha256').update(consumer).digest('hex');
  return `${slice}-${hash.slice(0, 2 * HASH_BYTES)}`;
}
