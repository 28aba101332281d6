import { moveHost, type Prefix } from '../../base/net/prefix.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { clustersBetween } from '../../fleet/ipam/clusters-between.ts';
import { carriesPackets } from '../../fleet/model/keyless-ends.ts';
import { pathsOf } from '../../fleet/model/paths-of.ts';
import type { Owner } from './owners-of.ts';

/** What a cluster dials to reach an address that another cluster has. */
export type Dial =
  | { readonly kind: 'address'; readonly address: number }
  /** One of `network`, which `hub` assigns once it has offloaded the pod; `others` assign further ones. */
  | {
      readonly kind: 'through';
      readonly hub: string;
      readonly network: Prefix;
      readonly others: readonly string[];
    }
  /** Only links without keys lead there. */
  | { readonly kind: 'no-keys' }
  | { readonly kind: 'nothing' };

/** How `from` reaches an address in a network of its owner, another cluster. */
export function dialOwner(
  model: AddressedModel,
  from: AddressedCluster,
  { address, owner }: { readonly address: number; readonly owner: Owner },
): Dial {
  const peer = from.peers.get(owner.cluster.name);
  const view = owner.role === 'pod' ? peer?.podViews[owner.index] : peer?.externalView;
  if (peer && view && carriesPackets(peer.link)) return { kind: 'address', address: moveHost(address, view.seenAs) };
  // A hub maps pods that it has offloaded, and no address that is mapped already.
  const hubs = owner.role === 'pod' ? pathsOf(model.links).between(from.name, owner.cluster.name) : [];
  const [hub, ...others] = hubs;
  const network = hub === undefined ? undefined : from.peers.get(hub)?.externalView.seenAs;
  if (hub !== undefined && network) return { kind: 'through', hub, network, others };
  const isLinked = peer !== undefined || (owner.role === 'pod' && clustersBetween(from, owner.cluster).length > 0);
  return { kind: isLinked ? 'no-keys' : 'nothing' };
}
