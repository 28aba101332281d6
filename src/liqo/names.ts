import type { Prefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import type { ReleaseTraits } from '../releases/traits.ts';

export const NETWORKING_API = 'networking.liqo.io/v1beta1';
export const IPAM_API = 'ipam.liqo.io/v1alpha1';

// Label and annotation keys. Source: liqotech/liqo@v1.2.0 pkg/consts.
export const REMOTE_CLUSTER_LABEL = 'liqo.io/remote-cluster-id';
export const TENANT_NAMESPACE_LABEL = 'liqo.io/tenant-namespace';
export const GATEWAY_RESOURCE_LABEL = 'networking.liqo.io/gateway-resource';
export const GATEWAY_NAME_LABEL = 'networking.liqo.io/gateway-name';
export const GATEWAY_NAMESPACE_LABEL = 'networking.liqo.io/gateway-namespace';
export const GATEWAY_ACTIVE_LABEL = 'networking.liqo.io/active';
export const COMPONENT_LABEL = 'networking.liqo.io/component';
export const CONFIGURED_LABEL = 'configuration.liqo.io/configured';
export const CIDR_TYPE_LABEL = 'configuration.liqo.io/cidr-type';
export const NETWORK_TYPE_LABEL = 'ipam.liqo.io/network-type';
export const NOT_REMAPPED_LABEL = 'ipam.liqo.io/network-not-remapped';
export const SHARED_LABEL = 'ipam.liqo.io/network-shared';
export const PREINSTALLED_ANNOTATION = 'liqo.io/preinstalled';

/** Which list of a Configuration a CIDR stands in. */
export type CidrType = 'pod' | 'external';

/**
 * The namespace that a cluster keeps for one remote cluster. Liqo would take any name; the fork and the operator of
 * ForeignClusterConnections need this one, which is also the one that liqoctl makes.
 */
export const tenantNamespace = (remote: string): string => `liqo-tenant-${remote}`;

/** Name and namespace of an object about a remote cluster: liqoctl names them all by the remote's ID. */
export function aboutRemote(remote: string, labels: Readonly<Record<string, string>> = {}) {
  return {
    name: remote,
    namespace: tenantNamespace(remote),
    labels: { [REMOTE_CLUSTER_LABEL]: remote, ...labels },
  };
}

/** What Liqo calls the Deployment, Service and Connection of a gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go. */
export const gatewayResourceName = (gateway: string): string => `gw-${gateway}`;

/** `10.244.0.0/16` to `10-244-0-0-16`. Source: liqotech/liqo@v1.2.0 pkg/utils/cidr (EscapeForName). */
export const cidrInName = (cidr: Prefix): string => printPrefix(cidr).replace(/[./]/g, '-');

/**
 * The Network that a Configuration asks for. Since 1.2 there may be several of a type, so the CIDR is in the name.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
 */
export function peerNetworkName(traits: ReleaseTraits, { remote, type, cidr }: PeerNetwork): string {
  const name = `${remote}-${type}`;
  return traits.namesPeerNetworksByCIDR ? `${name}-${cidrInName(cidr)}` : name;
}

export interface PeerNetwork {
  readonly remote: string;
  readonly type: CidrType;
  /** As the remote announces it. */
  readonly cidr: Prefix;
}
