import { printPrefix } from '../../base/net/text.ts';
import { GATEWAY_ACTIVE_LABEL } from '../../base/releases/labels.ts';
import { gatewayResourceName } from '../../bundle/liqo/manifest.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { ObjectNames } from '../../fleet/model/network-model.ts';

/** What to look at for one link, in order, with what is expected there. */
export interface Runbook {
  readonly server: string;
  readonly client: string;
  readonly steps: readonly RunbookStep[];
}

export interface RunbookStep {
  /** The same for every link, for programs. */
  readonly id: StepId;
  readonly title: string;
  readonly checks: readonly Check[];
  /** What the answers mean, and what to do next. */
  readonly outcomes: readonly Outcome[];
}

type StepId =
  | 'objects'
  | 'pods'
  | 'wireguard'
  | 'reachability'
  | 'tunnel'
  | 'mtu'
  | 'packets'
  | 'translations'
  | 'routes'
  | 'end-to-end';

/** A command and what it shows where all is well. */
export interface Check {
  /** The cluster that is looked at. */
  readonly cluster: string;
  /** Words in capitals are for the reader to fill in. */
  readonly command: string;
  readonly expect: readonly Expectation[];
}

interface Expectation {
  readonly what: string;
  readonly value: string;
}

interface Outcome {
  readonly when: string;
  readonly next: string;
}

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

/**
 * A command in the network of a node. Its image is the one of the gateways: it has the tools, and the cluster has it.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 build/liqo/Dockerfile; kubernetes, "Debugging via a shell on the node".
 */
export const onNode = ({ name, image }: AddressedCluster, command: string): string =>
  `kubectl --context ${name} debug node/NODE -q -it --profile=sysadmin --image=${image.registry}/gateway:${image.tag} -- ${command}`;
