import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { ApiServer, CidrRequest } from '../../fleet/model/network-model.ts';
import type { Field } from './manifest.ts';
import { mergeValues } from './merge-values.ts';
import { platformValues } from './platform-values.ts';
import { sharingValues } from './sharing/sharing-values.ts';

/** An alias and not an interface, so that it can be printed. */
type HelmValues = {
  readonly apiServer: { readonly [key: string]: Field | undefined } | undefined;
  readonly discovery: { readonly config: { readonly [key: string]: Field | undefined } };
  readonly ipam: { readonly [key: string]: Field | undefined };
  readonly [key: string]: Field | undefined;
};

/** The values of Liqo's chart that the topology decides. */
export function helmValues(cluster: AddressedCluster): { readonly [key: string]: Field | undefined } {
  return mergeValues(networkValues(cluster), sharingValues(cluster));
}

/**
 * What the network needs. A cluster installed with another `ipam` assigns other addresses;
 * without a cluster ID the chart makes one up, and the labels of the peers' objects name a cluster that does not exist.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/templates (`discovery.config.clusterID`).
 */
function networkValues(cluster: AddressedCluster): HelmValues {
  const pods = cluster.podCIDRs.map((it) => printPrefix(it.value));
  const { clusterLabels, ...others } = platformValues(cluster);
  return {
    apiServer: cluster.apiServer ? apiServerValues(cluster.apiServer) : undefined,
    discovery: { config: { clusterID: cluster.name, clusterLabels } },
    ipam: {
      pools: cluster.pools.map((it) => printPrefix(it.value)),
      // `podCIDRs` exists since 1.2 and renames the Network, so a single pod CIDR keeps the key that all releases have.
      ...(pods.length === 1 ? { podCIDR: pods[0] } : { podCIDRs: pods }),
      serviceCIDR: printPrefix(cluster.serviceCIDR.value),
      externalCIDR: requested(cluster, cluster.external, cluster.externalCIDR),
      internalCIDR: requested(cluster, cluster.internal, cluster.internalCIDR),
      reservedSubnets: cluster.reserved.map((it) => printPrefix(it.value)),
    },
    ...others,
    // Gateways report nothing without it, and a PodMonitor finds them.
    ...(cluster.monitoring === null ? {} : { metrics: { enabled: true, prometheusOperator: { enabled: true } } }),
  };
}

const apiServerValues = ({ address, ca, trustedCA }: ApiServer): { readonly [key: string]: Field | undefined } => ({
  address: address.value,
  ca: ca ?? undefined,
  trustedCA: trustedCA || undefined,
});

/** Since 1.2 Liqo uses a value that is set or fails; only when it is absent does Liqo move its default. */
function requested({ traits }: AddressedCluster, request: CidrRequest, assigned: Prefix): string | undefined {
  if (request.kind === 'auto') return printPrefix(assigned);
  if (request.kind === 'default' && traits.pinsExplicitOwnCIDRs) return undefined;
  return printPrefix(request.prefix);
}
