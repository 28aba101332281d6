import { samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedModel, type View, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { LiveNetwork } from './live-network.ts';

interface GuessedView {
  readonly cluster: string;
  readonly peer: string;
  /** What the peer announces. */
  readonly cidr: string;
  /** What the lock had for it, and what a live cluster has now for another peer. */
  readonly was: string;
}

/** A view that adopting others would move, although no live cluster says where to: the network of the lock is taken. */
export function guessedView(
  { clusters }: AddressedModel,
  after: AddressedModel,
  { views }: LiveNetwork,
): GuessedView | undefined {
  const keyOf = (viewer: string, peer: string, { cidr }: Pick<View, 'cidr'>): string =>
    `${viewer}/${peer}/${printPrefix(cidr)}`;
  const known = new Set(views.map((it) => keyOf(it.viewer, it.peer, it)));
  for (const cluster of after.clusters.values()) {
    for (const peer of cluster.peers.values()) {
      const before = clusters.get(cluster.name)?.peers.get(peer.name);
      for (const [index, view] of viewsOf(peer).entries()) {
        const was = before === undefined ? undefined : viewsOf(before)[index];
        if (was === undefined || samePrefix(was.seenAs, view.seenAs)) continue;
        if (known.has(keyOf(cluster.name, peer.name, view))) continue;
        return {
          cluster: cluster.name,
          peer: peer.name,
          cidr: printPrefix(view.cidr),
          was: printPrefix(was.seenAs),
        };
      }
    }
  }
  return undefined;
}
