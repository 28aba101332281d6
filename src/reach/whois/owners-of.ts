import { containsAddress, type Prefix } from '../../base/net/prefix.ts';
import { type AddressedCluster, type AddressedModel, unknownSource } from '../../fleet/ipam/addressed-model.ts';

/** A cluster that has an address in a network of its own to which peers can send. */
export interface Owner {
  readonly cluster: AddressedCluster;
  readonly role: 'pod' | 'external';
  readonly network: Prefix;
  /** Of the pod CIDR in the list of the cluster. */
  readonly index: number;
}

/** The clusters that have a pod or a mapped address there, by name. Services, nodes and the overlay stay inside theirs. */
export function ownersOf({ clusters }: AddressedModel, address: number): readonly Owner[] {
  return [...clusters.values()].flatMap((cluster): readonly Owner[] => {
    const index = cluster.podCIDRs.findIndex((it) => containsAddress(it.value, address));
    const pods = cluster.podCIDRs[index];
    if (pods) return [{ cluster, role: 'pod', network: pods.value, index }];
    const isMapped = containsAddress(cluster.externalCIDR, address) && address !== unknownSource(cluster);
    return isMapped ? [{ cluster, role: 'external', network: cluster.externalCIDR, index: 0 }] : [];
  });
}
