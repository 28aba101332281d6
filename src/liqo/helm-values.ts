import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { CidrRequest } from '../model/network-model.ts';
import type { Prefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import type { Field } from './manifest.ts';

/** The `ipam` part of the values of Liqo's chart: installed with other values, a cluster gives other addresses. */
export function helmValues(cluster: AddressedCluster): {
  readonly ipam: { readonly [key: string]: Field | undefined };
} {
  const pods = cluster.podCIDRs.map((it) => printPrefix(it.value));
  return {
    ipam: {
      pools: cluster.pools.map((it) => printPrefix(it.value)),
      // `podCIDRs` exists since 1.2 and renames the Network, so a single pod CIDR keeps the key that all releases know.
      ...(pods.length === 1 ? { podCIDR: pods[0] } : { podCIDRs: pods }),
      serviceCIDR: printPrefix(cluster.serviceCIDR.value),
      externalCIDR: wished(cluster, cluster.external, cluster.externalCIDR),
      internalCIDR: wished(cluster, cluster.internal, cluster.internalCIDR),
      reservedSubnets: cluster.reserved.map((it) => printPrefix(it.value)),
    },
  };
}

/** Since 1.2 a value that is set is exact or an error; only the empty one lets Liqo move its default. */
function wished({ traits }: AddressedCluster, wish: CidrRequest, given: Prefix): string | undefined {
  if (wish.kind === 'auto') return printPrefix(given);
  if (wish.kind === 'default' && traits.pinsExplicitOwnCIDRs) return undefined;
  return printPrefix(wish.prefix);
}
