import { isRemapped, type RebuiltCluster, type RebuiltPeer } from './rebuild-network.ts';

/** The peers whose links need a remap in the cluster, in the order of joining, in which they are applied. */
export function orderedPeers({ peers, expected }: RebuiltCluster): readonly RebuiltPeer[] {
  const join = (it: RebuiltPeer): number => expected.ends.get(it.name)?.link.join ?? 0;
  return [...peers.values()].filter(isRemapped).sort((a, b) => join(a) - join(b));
}
