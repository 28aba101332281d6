import { by } from '../../base/core/collections.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import {
  CIDR_TYPE_LABEL,
  CONFIGURED_LABEL,
  IPAM_API,
  NETWORK_TYPE_LABEL,
  NOT_REMAPPED_LABEL,
  PREINSTALLED_ANNOTATION,
  REMOTE_CLUSTER_LABEL,
  SHARED_LABEL,
} from '../../base/releases/labels.ts';
import { type AddressedCluster, ownEnd, type Peer, type View } from '../../fleet/ipam/addressed-model.ts';
import type { CidrRequest } from '../../fleet/model/network-model.ts';
import { lowerConfiguration, remoteNetworks, seenNetworks } from './lower-peer.ts';
import { aboutPeer, type CidrType, cidrInName, type Manifest, peerNetworkName } from './manifest.ts';

/** Every Network of the cluster with the CIDR that its IPAM assigns: those of the install, then those of its peers by name. */
export function expectedNetworks(cluster: AddressedCluster): readonly Manifest[] {
  const peers = [...cluster.peers.values()].sort(by((it) => it.name));
  return [...installNetworks(cluster), ...peers.flatMap((it) => peerNetworks(cluster, it))];
}

/**
 * The chart's own Networks, without its `app.kubernetes.io` labels.
 * Source: liqotech/liqo@v1.0.3 and @v1.2.0 deployments/liqo/templates/liqo-ipam-networks.yaml.
 */
function installNetworks(cluster: AddressedCluster): readonly Manifest[] {
  const { podCIDRs, serviceCIDR, reserved } = cluster;
  const several = podCIDRs.length > 1;
  return [
    ...podCIDRs.map((it) =>
      fixed(cluster, several ? `pod-cidr-${cidrInName(it.value)}` : 'pod-cidr', 'pod-cidr', it.value),
    ),
    fixed(cluster, 'service-cidr', 'service-cidr', serviceCIDR.value),
    movable(cluster, 'external-cidr', cluster.external, cluster.externalCIDR),
    movable(cluster, 'internal-cidr', cluster.internal, cluster.internalCIDR),
    ...reserved.map((it, index) => fixed(cluster, reservedName(cluster, it.value, index), 'reserved', it.value)),
  ];
}

const reservedName = (cluster: AddressedCluster, cidr: Prefix, index: number): string =>
  `reserved-${cluster.traits.namesReservedNetworksByCIDR ? cidrInName(cidr) : index + 1}`;

/** A Network that Liqo must not move: the assigned CIDR equals the requested one. */
function fixed(cluster: AddressedCluster, name: string, type: string, cidr: Prefix): Manifest {
  const shared = cluster.traits.labelsSharedNetworks ? { [SHARED_LABEL]: 'true' } : {};
  return installNetwork({
    cluster,
    name,
    labels: { [NETWORK_TYPE_LABEL]: type, [NOT_REMAPPED_LABEL]: 'true', ...shared },
    spec: { cidr: printPrefix(cidr) },
    assigned: cidr,
  });
}

/** The external or internal Network, which Liqo moves when it collides; since 1.2 only if it is a default. */
function movable(
  cluster: AddressedCluster,
  name: 'external-cidr' | 'internal-cidr',
  request: CidrRequest,
  assigned: Prefix,
): Manifest {
  const pinned = cluster.traits.pinsExplicitOwnCIDRs && request.kind !== 'default';
  return installNetwork({
    cluster,
    name,
    labels: { [NETWORK_TYPE_LABEL]: name, ...(pinned ? { [NOT_REMAPPED_LABEL]: 'true' } : {}) },
    spec: {
      cidr: printPrefix(request.kind === 'auto' ? assigned : request.prefix),
      // The first address of the external CIDR is the source of traffic that does not come from a pod.
      preAllocated: name === 'external-cidr' ? 1 : undefined,
    },
    assigned,
  });
}

interface InstallNetwork {
  readonly cluster: AddressedCluster;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: { readonly cidr: string; readonly preAllocated?: number | undefined };
  readonly assigned: Prefix;
}

const installNetwork = ({ cluster, name, labels, spec, assigned }: InstallNetwork): Manifest => ({
  apiVersion: IPAM_API,
  kind: 'Network',
  metadata: { name, namespace: cluster.liqoNamespace, labels, annotations: { [PREINSTALLED_ANNOTATION]: 'true' } },
  spec,
  status: { cidr: printPrefix(assigned) },
});

/** The Networks that the controller creates for a Configuration: pods in list order, then external. */
function peerNetworks(cluster: AddressedCluster, peer: Peer): readonly Manifest[] {
  return [
    ...peer.podViews.map((it) => peerNetwork(cluster, peer, 'pod', it)),
    peerNetwork(cluster, peer, 'external', peer.externalView),
  ];
}

function peerNetwork(cluster: AddressedCluster, peer: Peer, type: CidrType, view: View): Manifest {
  const { configuration, namespace } = ownEnd(peer).names;
  return {
    apiVersion: IPAM_API,
    kind: 'Network',
    metadata: {
      name: peerNetworkName(cluster.traits, { configuration, type, cidr: view.cidr }),
      namespace,
      labels: { [REMOTE_CLUSTER_LABEL]: peer.name, [CIDR_TYPE_LABEL]: type },
    },
    // The controller sets the number; the chart leaves it out where it is 0.
    spec: { cidr: printPrefix(view.cidr), preAllocated: 0 },
    status: { cidr: printPrefix(view.seenAs) },
  };
}

/**
 * The Configuration after Liqo has completed it: with the cluster's own networks in `spec.local` and with the views in its
 * status. Liqo lists several own pod CIDRs in an order that differs from start to start, so that order means nothing.
 * Since 1.2 readiness is a condition, which is left out: its schema requires the time of the transition, which is unknown
 * at compile time. Before 1.2 readiness is a label.
 * Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/configuration/configuration_controller.go.
 */
export function expectedConfiguration(cluster: AddressedCluster, peer: Peer): Manifest {
  const configured = cluster.traits.reportsReadinessAsCondition ? {} : { [CONFIGURED_LABEL]: 'true' };
  return {
    ...lowerConfiguration(peer),
    metadata: aboutPeer(peer, 'configuration', configured),
    spec: {
      local: {
        cidr: {
          pod: cluster.podCIDRs.map((it) => printPrefix(it.value)),
          external: [printPrefix(cluster.externalCIDR)],
        },
      },
      remote: remoteNetworks(peer),
    },
    status: { remote: seenNetworks(peer) },
  };
}
