import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { CidrRequest } from '../model/network-model.ts';
import type { Prefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import type { Field } from './manifest.ts';

/** The `ipam` part of the values of Liqo's chart: a cluster installed with other values assigns other addresses. */
export function helmValues(cluster: AddressedCluster): {
  readonly ipam: { readonly [key: string]: Field | undefined };
} {
  const pods = cluster.podCIDRs.map((it) => printPrefix(it.value));
  return {
    ipam: {
      pools: cluster.pools.map((it) => printPrefix(it.value)),
      // `podCIDRs` exists since 1.2 and renames the Network, so a single pod CIDR keeps the key that all releases have.
      ...(pods.length === 1 ? { podCIDR: pods[0] } : { podCIDRs: pods }),
      serviceCIDR: printPrefix(cluster.serviceCIDR.value),
      externalCIDR: requested(cluster, cluster.external, cluster.externalCIDR),
      internalCIDR: requested(cluster, cluster.internal, cluster.internalCIDR),
      reservedSubnets: cluster.reserved.map((it) => printPrefix(it.value)),
    },
  };
}

/** Since 1.2 Liqo uses a value that is set or fails; only when it is absent does Liqo move its default. */
function requested({ traits }: AddressedCluster, request: CidrRequest, assigned: Prefix): string | undefined {
  if (request.kind === 'auto') return printPrefix(assigned);
  if (request.kind === 'default' && traits.pinsExplicitOwnCIDRs) return undefined;
  return printPrefix(request.prefix);
}
