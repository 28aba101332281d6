import { shortcutsOfHub } from '../../bundle/liqo/shortcuts-of-hub.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';
import { nameShortcuts } from '../../fleet/model/name-shortcuts.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { unreadEnds } from '../../fleet/model/unread-ends.ts';
import type { Reflection } from './reflection.ts';

/** One ForeignClusterConnection of the receiver, as the hub's virtual kubelet for the receiver uses it. */
export interface ForkPair {
  /** Of the ForeignClusterConnection. */
  readonly connection: string;
  /** The other end. */
  readonly other: string;
  /** `podCIDR` of its status. */
  readonly hubView: View;
  /** `remappedPodCIDR` of its status. */
  readonly receiverView: View;
  /** The connection after which the fork reads no further; `null` when it reads this one. */
  readonly stoppedAt: string | null;
}

const known = new WeakMap<Reflection, readonly ForkPair[]>();

/** The pairs in the order in which the fork lists them. It supports one pod CIDR per cluster. */
export function listForkPairs(reflection: Reflection): readonly ForkPair[] {
  const pairs = known.get(reflection) ?? findForkPairs(reflection);
  known.set(reflection, pairs);
  return pairs;
}

function findForkPairs({ model, hub, receiver }: Reflection): readonly ForkPair[] {
  const named = nameShortcuts(shortcutsOfHub(hub.name, model));
  const unread = new Set(unreadEnds(named).flatMap((it) => (it.end.cluster.name === receiver.name ? [it.link] : [])));
  const isClient = ({ client }: Link): boolean => client.cluster.name === receiver.name;
  const mentions = named.filter(({ link }) => isClient(link) || link.server.cluster.name === receiver.name);
  const stop = mentions.find(({ link }) => isClient(link));
  return mentions.flatMap(({ name, link }) => {
    const other = (isClient(link) ? link.server : link.client).cluster.name;
    const hubView = hub.peers.get(other)?.podViews[0];
    const receiverView = receiver.peers.get(other)?.podViews[0];
    if (hubView === undefined || receiverView === undefined) return [];
    const stoppedAt = unread.has(link) ? (stop?.name ?? null) : null;
    return [{ connection: name, other, hubView, receiverView, stoppedAt }];
  });
}
