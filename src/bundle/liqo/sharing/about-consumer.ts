import { REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';

/** Metadata of a Tenant, which liqoctl names after the consumer. */
export const aboutConsumer = (provider: AddressedCluster, { name }: AddressedCluster) => ({
  name,
  namespace: namespaceIn(provider, name),
  labels: { [REMOTE_CLUSTER_LABEL]: name },
});
