import {
  ORIGIN_ID_LABEL,
  REMOTE_CLUSTER_LABEL,
  REMOTE_ID_LABEL,
  REPLICATED_LABEL,
  REPLICATION_LABEL,
} from '../../../base/releases/labels.ts';
import { type AddressedCluster, namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';

// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/forge (identity.go, kubeconfig.go).

/** The name of the Secret that Liqo creates for an Identity. */
export const kubeconfigSecret = (identity: string): string => `kubeconfig-${identity}`;

/** Metadata of a Tenant, which liqoctl names after the consumer. */
export const aboutConsumer = (provider: AddressedCluster, { name }: AddressedCluster) => ({
  name,
  namespace: namespaceIn(provider, name),
  labels: { [REMOTE_CLUSTER_LABEL]: name },
});

type Labels = Readonly<Record<string, string>>;

/** Labels of an object in the consumer that is copied to the provider. */
export const originalLabels = ({ provider }: Share): Labels => ({
  [REMOTE_CLUSTER_LABEL]: provider.name,
  [REMOTE_ID_LABEL]: provider.name,
  [REPLICATION_LABEL]: 'true',
});

/**
 * Labels of the copy in the provider. The copy gets them when it is created, and keeps the ID of the cluster that it
 * was sent to, its own. Source: liqotech/liqo@v1.2.0 internal/crdReplicator/reflection/handler.go.
 */
export const replicaLabels = ({ consumer, provider }: Share): Labels => ({
  [ORIGIN_ID_LABEL]: consumer.name,
  [REMOTE_CLUSTER_LABEL]: consumer.name,
  [REMOTE_ID_LABEL]: provider.name,
  [REPLICATED_LABEL]: 'true',
  [REPLICATION_LABEL]: 'false',
});
