import { overlaps } from '../../base/net/prefix.ts';
import { LINK_LOCAL, NEVER_ROUTED } from '../../base/net/special-networks.ts';
import { readPrefix } from '../../base/net/text.ts';
import type { ObservedCluster, OwnNetwork, OwnRole } from './cluster.ts';

/** Whether a topology can have this text as a network of a cluster. Nodes use addresses of their link, which may be reserved. */
export function isUsableAs(role: OwnRole, text: string): boolean {
  const read = readPrefix(text);
  const special = role === 'reserved' ? NEVER_ROUTED : [...NEVER_ROUTED, LINK_LOCAL];
  return read.ok && !special.some((it) => overlaps(it.prefix, read.prefix));
}

/** Those that a topology can have: what the chart asked for or, where that is unusable, what the IPAM gave. */
export const usableOwn = (role: OwnRole, networks: readonly OwnNetwork[]): readonly OwnNetwork[] =>
  networks.flatMap((it) => {
    const cidr = [it.asked, it.given ?? ''].find((one) => isUsableAs(role, one));
    return cidr === undefined ? [] : [{ ...it, asked: cidr }];
  });

/** What the networks of a cluster are, after Liqo has moved what it may move. */
export const ownCidrs = ({ own }: ObservedCluster, role: OwnRole): readonly string[] =>
  usableOwn(role, own[role]).map((it) => it.given ?? it.asked);
