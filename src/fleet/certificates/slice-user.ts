import { clusterHash } from './cluster-hash.ts';

/**
 * The user that a slice acts as in its provider: CN of its certificate, and name of its Quota. The name of a slice is unique
 * in its consumer only, so a part of the consumer's hash follows it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const sliceUser = (slice: string, consumer: string): string => `${slice}-${clusterHash(consumer)}`;
