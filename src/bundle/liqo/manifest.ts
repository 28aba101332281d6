import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { ReleaseTraits } from '../../base/releases/traits.ts';
import { ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { ObjectNames } from '../../fleet/model/network-model.ts';

/** A value in a manifest. Members that are `undefined` are left out when it is printed. */
export type Field = string | number | boolean | readonly Field[] | { readonly [key: string]: Field | undefined };

/** A type alias instead of an interface, so that it is assignable to `Field`. */
type Metadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** A Kubernetes object. Its members are printed in their order. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: Field | undefined;
}

/** The list of a Configuration that contains a CIDR. */
export type CidrType = 'pod' | 'external';

/** Metadata of an object of a link, about the cluster at its other end. */
export function aboutPeer(
  peer: Peer,
  kind: Exclude<keyof ObjectNames, 'namespace'>,
  labels: Readonly<Record<string, string>> = {},
) {
  const { names } = ownEnd(peer);
  return {
    name: names[kind],
    namespace: names.namespace,
    labels: { [REMOTE_CLUSTER_LABEL]: peer.name, ...labels },
  };
}

/**
 * The name that Liqo gives the Deployment, Service and Connection of a gateway.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go.
 */
export const gatewayResourceName = (gateway: string): string => `gw-${gateway}`;

/**
 * A CIDR as a part of a name: `10.244.0.0/16` becomes `10-244-0-0-16`. Source: liqotech/liqo@v1.2.0 pkg/utils/cidr
 * (EscapeForName).
 */
export const cidrInName = (cidr: Prefix): string => printPrefix(cidr).replace(/[./]/g, '-');

/**
 * The name of the Network that Liqo creates for a CIDR of a Configuration. Since 1.2 there may be several of a type, so
 * the CIDR is in the name.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2
 * pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
 */
export function peerNetworkName(traits: ReleaseTraits, { configuration, type, cidr }: PeerNetwork): string {
  const name = `${configuration}-${type}`;
  return traits.namesPeerNetworksByCIDR ? `${name}-${cidrInName(cidr)}` : name;
}

interface PeerNetwork {
  readonly configuration: string;
  readonly type: CidrType;
  /** The CIDR that the remote cluster announces. */
  readonly cidr: Prefix;
}
