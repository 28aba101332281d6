import type { Prefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import { REMOTE_CLUSTER_LABEL } from '../releases/labels.ts';
import { tenantNamespace } from '../releases/tenant-namespace.ts';
import type { ReleaseTraits } from '../releases/traits.ts';

/** The list of a Configuration that contains a CIDR. */
export type CidrType = 'pod' | 'external';

/** Metadata of an object about a remote cluster: liqoctl names each of them after the remote's ID. */
export function aboutRemote(remote: string, labels: Readonly<Record<string, string>> = {}) {
  return {
    name: remote,
    namespace: tenantNamespace(remote),
    labels: { [REMOTE_CLUSTER_LABEL]: remote, ...labels },
  };
}

/**
 * The name that Liqo gives the Deployment, Service and Connection of a gateway.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go.
 */
export const gatewayResourceName = (gateway: string): string => `gw-${gateway}`;

/** `10.244.0.0/16` to `10-244-0-0-16`. Source: liqotech/liqo@v1.2.0 pkg/utils/cidr (EscapeForName). */
export const cidrInName = (cidr: Prefix): string => printPrefix(cidr).replace(/[./]/g, '-');

/**
 * The name of the Network that Liqo creates for a CIDR of a Configuration. Since 1.2 there may be several of a type, so
 * the CIDR is in the name.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2
 * pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
 */
export function peerNetworkName(traits: ReleaseTraits, { remote, type, cidr }: PeerNetwork): string {
  const name = `${remote}-${type}`;
  return traits.namesPeerNetworksByCIDR ? `${name}-${cidrInName(cidr)}` : name;
}

interface PeerNetwork {
  readonly remote: string;
  readonly type: CidrType;
  /** As the remote announces it. */
  readonly cidr: Prefix;
}
