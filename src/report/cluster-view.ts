import type { AddressedCluster, AddressedModel, Peer, View } from '../ipam/addressed-model.ts';
import type { LinkKind } from '../model/network-model.ts';
import { printPrefix } from '../net/text.ts';

/** The network from the point of view of one cluster, ready to print in any form. */
export interface ClusterView {
  readonly cluster: string;
  readonly liqo: string;
  readonly retired: boolean;
  readonly podCIDRs: readonly string[];
  readonly serviceCIDR: string;
  readonly externalCIDR: string;
  /** In apply order. */
  readonly peers: readonly PeerView[];
  /** Clusters that share a hub with this one but no link, by name. */
  readonly indirect: readonly IndirectView[];
}

export interface PeerView {
  readonly peer: string;
  readonly link: LinkKind;
  /** Of the cluster whose point of view this is. */
  readonly role: 'server' | 'client';
  /** What the client dials, whichever end that is. */
  readonly address: string;
  readonly port: number;
  readonly mtu: number;
  readonly views: readonly SeenCidr[];
  readonly orderDependent: boolean;
}

export interface SeenCidr {
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  readonly history: boolean;
}

export interface IndirectView {
  readonly cluster: string;
  readonly through: readonly ThroughHub[];
}

/**
 * A hub on the way, and this cluster's view of the hub's external CIDR: single addresses in it stand for pods behind the
 * hub. Source: liqotech/liqo pkg/liqo-controller-manager/ipmapping/pod_controller.go, v1.2.0.
 */
export interface ThroughHub {
  readonly hub: string;
  readonly seenIn: string;
}

export function clusterView(model: AddressedModel, cluster: AddressedCluster): ClusterView {
  return {
    cluster: cluster.name,
    liqo: cluster.release.version,
    retired: cluster.retired,
    podCIDRs: cluster.podCIDRs.map((it) => printPrefix(it.value)),
    serviceCIDR: printPrefix(cluster.serviceCIDR.value),
    externalCIDR: printPrefix(cluster.externalCIDR),
    peers: cluster.peers.map(peerView),
    indirect: indirectViews(model, cluster),
  };
}

function peerView(peer: Peer): PeerView {
  return {
    peer: peer.name,
    link: peer.link.kind,
    role: peer.role,
    address: peer.link.endpoint.address,
    port: peer.link.endpoint.port,
    mtu: peer.link.mtuBytes,
    views: [...peer.podViews.map((it) => seenCidr('pod', it)), seenCidr('external', peer.externalView)],
    orderDependent: peer.orderDependent,
  };
}

const seenCidr = (kind: SeenCidr['kind'], view: View): SeenCidr => ({
  kind,
  cidr: printPrefix(view.cidr),
  seenAs: printPrefix(view.seenAs),
  history: view.history,
});

function indirectViews(model: AddressedModel, cluster: AddressedCluster): readonly IndirectView[] {
  const peers = new Map(cluster.peers.map((it) => [it.name, it]));
  const hubs = new Set(cluster.hubs);
  return [...model.clusters.values()].flatMap((it) => {
    if (it.name === cluster.name || it.retired || peers.has(it.name)) return [];
    const through = it.hubs.flatMap((hub) => {
      const peer = hubs.has(hub) ? peers.get(hub) : undefined;
      return peer === undefined ? [] : [{ hub, seenIn: printPrefix(peer.externalView.seenAs) }];
    });
    return through.length === 0 ? [] : [{ cluster: it.name, through }];
  });
}
