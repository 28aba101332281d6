import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets } from '../../fleet/model/keyless-ends.ts';
import type { Link } from '../../fleet/model/network-model.ts';

/** The part of a fleet that a lab builds. */
export interface LabScope {
  readonly model: AddressedModel;
  /** By name; those with a link among `links`. */
  readonly clusters: readonly LabCluster[];
  /** Those that carry packets: without its keys a link is only two gateways that wait. */
  readonly links: readonly Link[];
  /** The other requested links, which are not built. */
  readonly keyless: readonly Link[];
}

export interface LabCluster {
  readonly cluster: AddressedCluster;
  /** Those that are in the lab, by name, in apply order. */
  readonly peers: ReadonlyMap<string, Peer>;
}

/**
 * No name: the whole fleet. One name: that cluster with its peers, over its own links. Several: these, and the links
 * between them.
 */
export function labScope(model: AddressedModel, names: readonly string[]): LabScope {
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
