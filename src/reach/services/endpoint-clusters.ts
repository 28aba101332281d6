import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { OffloadedNamespace } from '../../fleet/sharing/shared-model.ts';

/** The clusters that have the Services of an offloaded namespace: its own, then the providers by name. */
export const serviceClusters = ({ cluster, providers }: OffloadedNamespace): readonly AddressedCluster[] => [
  cluster,
  ...providers,
];

/**
 * The clusters in which pods of an offloaded namespace may run.
 * Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go (PodOffloadingStrategy).
 */
export function endpointClusters(namespace: OffloadedNamespace): readonly AddressedCluster[] {
  switch (namespace.pods) {
    case 'Local':
      return [namespace.cluster];
    case 'Remote':
      return namespace.providers;
    case 'LocalAndRemote':
      return serviceClusters(namespace);
  }
}
