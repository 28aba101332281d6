import { printPrefix } from '../../base/net/text.ts';
import { GATEWAY_ACTIVE_LABEL } from '../../base/releases/labels.ts';
import { gatewayResourceName } from '../../bundle/liqo/names.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { ObjectNames } from '../../fleet/model/network-model.ts';

/** One end of a link as a person at a shell meets it. */
export interface LinkEnd {
  readonly cluster: AddressedCluster;
  readonly peer: Peer;
  readonly name: string;
  /** The cluster at the other end. */
  readonly far: string;
  readonly names: ObjectNames;
  /** The Deployment, Service and Connection of the gateway. */
  readonly gateway: string;
  /** Its pod networks, as it uses them itself. */
  readonly pods: readonly string[];
  /** The peer's pod networks, as this cluster sees them. */
  readonly views: readonly string[];
  /** The same of the peer's external network. */
  readonly externalView: string;
  /** A command of kubectl in the namespace of the link. */
  readonly kubectl: (command: string) => string;
  /**
   * A command in a container of the gateway's pod, in the one of the gateway unless another is named. Their images have the
   * tools. Source: liqotech/liqo@v1.0.3 to @v1.2.0 build/liqo/Dockerfile.
   */
  readonly inGateway: (command: string, container?: 'gateway' | 'wireguard') => string;
}

export function linkEnd(cluster: AddressedCluster, peer: Peer): LinkEnd {
  const { names } = ownEnd(peer);
  const gateway = gatewayResourceName(names.gateway);
  const kubectl = (command: string): string => `kubectl --context ${cluster.name} -n ${names.namespace} ${command}`;
  // Of several pods only the active one has the tunnel.
  const pod =
    cluster.gateway.replicas > 1
      ? `"$(${kubectl(`get pods -l ${GATEWAY_ACTIVE_LABEL}=true -o name`)})"`
      : `deployment/${gateway}`;
  return {
    cluster,
    peer,
    name: cluster.name,
    far: peer.name,
    names,
    gateway,
    pods: cluster.podCIDRs.map((it) => printPrefix(it.value)),
    views: peer.podViews.map((it) => printPrefix(it.seenAs)),
    externalView: printPrefix(peer.externalView.seenAs),
    kubectl,
    inGateway: (command, container = 'gateway') => kubectl(`exec ${pod} -c ${container} -- ${command}`),
  };
}
