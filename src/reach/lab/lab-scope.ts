import { lastAddress, moveHost } from '../../base/net/prefix.ts';
import type { BoundedModel } from '../../fleet/boundaries/bounded-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type Peer,
  unknownSource,
} from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import { podAddresses } from './lab-names.ts';

/** The network of a lab; its gateways have fences if it has boundaries. */
export type LabModel = AddressedModel & Partial<Pick<BoundedModel, 'boundaries'>>;

/** The part of a fleet that a lab builds. */
export interface LabScope {
  readonly model: LabModel;
  /** Clusters with at least one of `links`, by name. */
  readonly clusters: readonly LabCluster[];
  /** Links that carry packets. A link without keys is excluded, because its gateways only wait for each other. */
  readonly links: readonly Link[];
  /** Requested links without keys, which are not built. */
  readonly keyless: readonly Link[];
}

export interface LabCluster {
  readonly cluster: AddressedCluster;
  /** Peers that are in the lab, by name, in apply order. */
  readonly peers: ReadonlyMap<string, Peer>;
}

/**
 * Selects the whole fleet when no name is given; for one name, that cluster with its peers, over its own links; for
 * several names, these clusters and the links between them.
 */
export function labScope(model: LabModel, names: readonly string[]): LabScope {
  const requested = model.links.filter((it) => isSelected(it, new Set(names)));
  const links = requested.filter(carriesPackets);
  const selected = new Set(links);
  const clusters = [...model.clusters.values()]
    .map((cluster) => ({ cluster, peers: new Map([...cluster.peers].filter(([, it]) => selected.has(it.link))) }))
    .filter((it) => it.peers.size > 0);
  return { model, clusters, links, keyless: requested.filter((it) => !carriesPackets(it)) };
}

function isSelected({ server, client }: Link, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return true;
  const [first, second] = [names.has(server.cluster.name), names.has(client.cluster.name)];
  return names.size === 1 ? first || second : first && second;
}

/**
 * An address of a hub's external CIDR that is mapped to one pod of a leaf, so that another leaf can reach the pod. Liqo
 * creates one for each pod that the hub offloads, in order of arrival.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/ipmapping/pod_controller.go.
 */
export interface ScopedIpMapping {
  readonly hub: string;
  /** The cluster of the pod. */
  readonly leaf: string;
  /** Index of the pod among the pods of the leaf. */
  readonly pod: number;
  /** The pod's address from the hub's point of view. */
  readonly real: number;
  /** The address in the external CIDR of the hub that is mapped to the pod. */
  readonly mapped: number;
}

/** A cluster that reaches another one through a third one, because it has no link to it. */
interface Transit {
  readonly from: LabCluster;
  readonly hub: LabCluster;
  readonly to: LabCluster;
}

/** Every ordered pair of clusters without a link in the lab, once for each cluster that has lab links to both. */
function transits(scope: LabScope): readonly Transit[] {
  return scope.clusters.flatMap((from) =>
    scope.clusters
      .filter((to) => to !== from && !isJoined(from, to))
      .flatMap((to) => hubsBetween(scope, from, to).map((hub) => ({ from, hub, to }))),
  );
}

/** The clusters that have lab links to both. */
export const hubsBetween = ({ clusters }: LabScope, from: LabCluster, to: LabCluster): readonly LabCluster[] =>
  clusters.filter((it) => isJoined(it, from) && isJoined(it, to));

/** True when a link of the lab connects the two. */
export const isJoined = (a: LabCluster, b: LabCluster): boolean => a.peers.has(b.cluster.name);

/** The mappings that the transits need, as far as the external CIDR of each hub has free addresses. */
export function ipMappings(scope: LabScope): readonly ScopedIpMapping[] {
  const all = transits(scope);
  return scope.clusters.flatMap((hub) =>
    mappingsOf(hub, new Set(all.filter((it) => it.hub === hub).map((it) => it.to))),
  );
}

function mappingsOf({ cluster, peers }: LabCluster, leaves: ReadonlySet<LabCluster>): readonly ScopedIpMapping[] {
  const pods = [...leaves].flatMap((leaf) => {
    const views = peers.get(leaf.cluster.name)?.podViews ?? [];
    return podAddresses(leaf.cluster).flatMap((address, pod) => {
      const view = views[pod];
      return view === undefined ? [] : [{ leaf: leaf.cluster.name, pod, real: moveHost(address, view.seenAs) }];
    });
  });
  const room = lastAddress(cluster.externalCIDR) - unknownSource(cluster);
  return pods
    .slice(0, room)
    .map((it, index) => ({ ...it, hub: cluster.name, mapped: unknownSource(cluster) + 1 + index }));
}
