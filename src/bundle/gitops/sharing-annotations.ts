import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Annotations, keptAnnotations, lastWave, namespaceAnnotations, wave } from './sync-wave.ts';

/** An object of authentication or offloading in the bundle of a cluster. */
interface SharedObject {
  readonly kind: string;
  /** Whether Liqo replaces the certificate in it, see `isRenewed`. */
  readonly renewed: boolean;
}

/**
 * All of it is in the last wave, for which Argo CD does not wait: a tenant waits for a signer, a slice and a namespace for
 * the other cluster, perhaps for days, and an operation that waits applies no later commit. The one order that Liqo cannot
 * repair holds all the same: a virtual kubelet reads once, when it starts, whether there is a network and what its
 * Configuration was answered, and the waves of Configurations come before, with a health check. Whether the tunnel is up
 * it asks all the time.
 * Source: liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go,
 * pkg/liqo-controller-manager/core/foreigncluster-controller/status.go (EnableModuleNetworking).
 */
export function sharingAnnotations(cluster: AddressedCluster, { kind, renewed }: SharedObject): Annotations {
  const last = wave(lastWave(cluster));
  switch (kind) {
    case 'Namespace':
      return namespaceAnnotations;
    // What a provider knows of a consumer. Its tool does not know when the consumer is done, and without these rights the
    // consumer cannot take back what it has put there.
    case 'Secret':
    case 'ServiceAccount':
    case 'RoleBinding':
    case 'Tenant':
    // It belongs to its slice, which Liqo deletes it with. A tool that deleted it because only its settings are gone would
    // drain it.
    case 'VirtualNode':
      return { ...keptAnnotations, ...last };
    case 'Identity':
      return renewed ? { ...last, 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } : last;
    case 'ExternalSecret':
    case 'ResourceSlice':
    case 'NamespaceOffloading':
      return last;
    default:
      throw new RangeError(`no sync wave is defined for kind "${kind}"`);
  }
}
