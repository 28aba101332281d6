import { contains, moveHost, overlaps, type Prefix } from '../../base/net/prefix.ts';
import { LINK_LOCAL, NEVER_ROUTED } from '../../base/net/special-networks.ts';
import { readPrefix } from '../../base/net/text.ts';
import type { ObservedCluster, OwnNetwork, OwnRole } from './cluster.ts';
import type { ObservedConfiguration } from './peer.ts';

/** True when a topology can declare this text as a network with this role. Link-local networks may be reserved. */
export function isUsableAs(role: OwnRole, text: string): boolean {
  const read = readPrefix(text);
  const special = role === 'reserved' ? NEVER_ROUTED : [...NEVER_ROUTED, LINK_LOCAL];
  return read.ok && !special.some((it) => overlaps(it.prefix, read.prefix));
}

/** Returns the networks that a topology can declare: the requested CIDR or, when it is unusable, the assigned one. */
export const usableOwn = (role: OwnRole, networks: readonly OwnNetwork[]): readonly OwnNetwork[] =>
  networks.flatMap((it) => {
    const cidr = [it.asked, it.given ?? ''].find((one) => isUsableAs(role, one));
    return cidr === undefined ? [] : [{ ...it, asked: cidr }];
  });

/** Returns the networks of a cluster after Liqo has moved those that it may move. */
export const ownCidrs = ({ own }: ObservedCluster, role: OwnRole): readonly string[] =>
  usableOwn(role, own[role]).map((it) => it.given ?? it.asked);

/** A network of a peer with the addresses under which a cluster sees it. */
export interface SeenNetwork {
  readonly kind: 'pod' | 'external';
  /** In the peer. */
  readonly cidr: Prefix;
  readonly seenAs: Prefix;
}

/** The views in a Configuration; those without a status are left out. */
export const seenNetworks = (configuration: ObservedConfiguration | null | undefined): readonly SeenNetwork[] =>
  (['pod', 'external'] as const).flatMap((kind) =>
    (configuration?.remote[kind] ?? []).flatMap((text, index) => {
      const [cidr, seenAs] = [readPrefix(text), readPrefix(configuration?.seen?.[kind][index] ?? '')];
      return cidr.ok && seenAs.ok ? [{ kind, cidr: cidr.prefix, seenAs: seenAs.prefix }] : [];
    }),
  );

/** The network of the peer that is seen under these addresses; `undefined` if they belong to none of its networks. */
export function networkSeenAs(network: Prefix, views: readonly SeenNetwork[]): Prefix | undefined {
  const view = views.find((it) => contains(it.seenAs, network));
  return view && { base: moveHost(network.base, view.cidr), length: network.length };
}
