import { printPrefix } from '../../base/net/text.ts';
import { GATEWAY_ACTIVE_LABEL } from '../../base/releases/labels.ts';
import { gatewayResourceName } from '../../bundle/liqo/manifest.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { ObjectNames } from '../../fleet/model/network-model.ts';

/** The checks of one link, in order, with the expected values. */
export interface Runbook {
  readonly server: string;
  readonly client: string;
  readonly steps: readonly RunbookStep[];
}

export interface RunbookStep {
  /** Identical for every link, so that programs can select a step. */
  readonly id: StepId;
  readonly title: string;
  readonly checks: readonly Check[];
  /** The possible results, and the next step for each. */
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

/** A command, and its output on a healthy link. */
export interface Check {
  /** The cluster in which the command runs. */
  readonly cluster: string;
  /** Words in capitals are placeholders. */
  readonly command: string;
  readonly expect: readonly Expectation[];
}

interface Expectation {
  readonly what: string;
  readonly value: string;
  /** True for a value of which the cluster has no object: objects of its peers may have another one. */
  readonly isInPod?: boolean;
}

interface Outcome {
  readonly when: string;
  readonly next: string;
}

/** One end of a link, as a user with kubectl addresses it. */
export interface LinkEnd {
  readonly cluster: AddressedCluster;
  readonly peer: Peer;
  readonly name: string;
  /** The cluster at the other end. */
  readonly far: string;
  readonly names: ObjectNames;
  /** The name of the gateway's Deployment, Service and Connection. */
  readonly gateway: string;
  /** The cluster's own pod networks. */
  readonly pods: readonly string[];
  /** The peer's pod networks as this cluster sees them. */
  readonly views: readonly string[];
  /** The peer's external network as this cluster sees it. */
  readonly externalView: string;
  /** Returns a kubectl command in the namespace of the link. */
  readonly kubectl: (command: string) => string;
  /**
   * Returns a command in a container of the gateway pod, by default `gateway`. The images contain the tools. Source:
   * liqotech/liqo@v1.0.3 to @v1.2.0 build/liqo/Dockerfile.
   */
  readonly inGateway: (command: string, container?: 'gateway' | 'wireguard') => string;
}

export function linkEnd(cluster: AddressedCluster, peer: Peer): LinkEnd {
  const { names } = ownEnd(peer);
  const gateway = gatewayResourceName(names.gateway);
  const kubectl = (command: string): string => `kubectl --context ${cluster.name} -n ${names.namespace} ${command}`;
  // With several pods, only the active one has the tunnel.
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
 * Returns a command in the network of a node. Its image is the gateway's, which has the tools and is in the cluster.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 build/liqo/Dockerfile; kubernetes, "Debugging via a shell on the node".
 */
export const onNode = ({ name, image }: AddressedCluster, command: string): string =>
  `kubectl --context ${name} debug node/NODE -q -it --profile=sysadmin --image=${image.registry}/gateway:${image.tag} -- ${command}`;
