import { moveHost, type Prefix } from '../../base/net/prefix.ts';
import { printAddress } from '../../base/net/text.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import { pathsOf } from '../../fleet/model/paths-of.ts';
import type { NetworksHere } from './networks-here.ts';
import type { BrokenPairs, SomeClusters } from './problem.ts';

/** A CIDR of a peer that the cluster sees as another network than git promises. */
export interface MovedView {
  readonly type: 'pod' | 'external';
  readonly cidr: Prefix;
  readonly promised: Prefix;
  /** `null` while the cluster has none. */
  readonly live: Prefix | null;
}

interface MovedPeer {
  readonly model: AddressedModel;
  readonly cluster: AddressedCluster;
  readonly peer: Peer;
  readonly networks: NetworksHere;
}

/**
 * The pairs of clusters that a moved view breaks, with addresses of one pod: the two themselves; over pods of the peer those
 * that reach them through this cluster; over its external CIDR those that this cluster reaches through the peer.
 */
export function brokenPairs(moved: MovedPeer, view: MovedView): readonly BrokenPairs[] {
  const { cluster, peer, networks, model } = moved;
  const host = representative(view.cidr);
  const dialled = moveHost(host, view.promised);
  const addresses = {
    dialled: printAddress(dialled),
    now: view.live === null ? null : printAddress(moveHost(host, view.live)),
    reaches: networks.meaningOf(dialled) ?? null,
  };
  const [here, there] = [only(cluster.name), only(peer.name)];
  if (view.type === 'external') {
    const behind = behindOf(model, peer.name, cluster.name);
    return behind.names.length === 0 ? [] : [{ from: here, to: behind, through: peer.name, ...addresses }];
  }
  const behind = behindOf(model, cluster.name, peer.name);
  const direct: BrokenPairs = { from: here, to: there, through: null, ...addresses };
  if (behind.names.length === 0) return [direct];
  // Each of them has an address of its own for the pod, which this cluster maps to the one that it dials itself.
  return [direct, { from: behind, to: there, through: cluster.name, ...addresses }];
}

/** Names that are listed of clusters that all have the same problem. */
const NAMED = 6;

/** The clusters that reach `end` through `hub`: they have a link with the hub and none with the end. */
function behindOf(model: AddressedModel, hub: string, end: string): SomeClusters {
  const { linkedWith, areLinked } = pathsOf(model.links);
  const ofHub = linkedWith(hub);
  // The end has few links where the hub has many, so its links are counted and not those of the hub.
  const both = linkedWith(end).filter((it) => areLinked(it, hub)).length;
  const count = areLinked(hub, end) ? ofHub.length - both - 1 : 0;
  const names: string[] = [];
  for (const it of ofHub) {
    if (names.length >= Math.min(NAMED, count)) break;
    if (it !== end && !areLinked(it, end)) names.push(it);
  }
  return { names, more: count - names.length };
}

const only = (name: string): SomeClusters => ({ names: [name], more: 0 });

/** An address that could be that of a pod: the same host in every printout, so that addresses can be compared. */
export function representative({ base, length }: Prefix): number {
  const hosts = 2 ** (32 - length);
  return length <= 22 ? base + 3 * 256 + 7 : base + Math.min(7, hosts - 1);
}
