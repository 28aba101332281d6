import { type AddressedCluster, remoteEnd } from '../../fleet/ipam/addressed-model.ts';

/** Peers of a cluster whose gateway has a key that git does not know. */
export const peersWithUnknownKey = ({ peers }: AddressedCluster): ReadonlySet<string> =>
  new Set([...peers.values()].filter((it) => remoteEnd(it).hasUnknownKey).map((it) => it.name));
