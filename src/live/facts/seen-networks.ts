import { contains, moveHost, type Prefix } from '../../base/net/prefix.ts';
import { readPrefix } from '../../base/net/text.ts';
import type { ObservedConfiguration } from './peer.ts';

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
