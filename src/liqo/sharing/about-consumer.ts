import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import { namespaceIn } from '../../ipam/namespace-in.ts';
import { REMOTE_CLUSTER_LABEL } from '../../releases/labels.ts';

/** Metadata of a Tenant, which liqoctl names after the consumer. */
export const aboutConsumer = (provider: AddressedCluster, { name }: AddressedCluster) => ({
  name,
  namespace: namespaceIn(provider, name),
  labels: { [REMOTE_CLUSTER_LABEL]: name },
});
