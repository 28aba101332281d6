import type { AddressedCluster } from '../ipam/addressed-model.ts';

/** Hubs that both clusters are spokes of, in order of name. */
export function commonHubs(a: AddressedCluster, b: AddressedCluster): readonly string[] {
  return a.hubs.filter((it) => b.hubs.includes(it));
}
