import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { DEFAULT_INTERFACE, TUNNEL_INTERFACE } from '../../base/releases/interfaces.ts';
import { translatesSourcesWrongly } from '../../base/releases/release.ts';
import type { AddressedCluster, Peer, View } from '../../fleet/ipam/addressed-model.ts';
import { ruleName } from './rule-name.ts';
import { ANY, type Chain, type NftRule, type RuleOrigin, type Ruleset, type Table } from './ruleset.ts';

/**
 * The translations of a cluster's gateway towards a peer: on the way out the view becomes the real destination, on the
 * way in the real source becomes the view. Both tables exist even when they are empty. Up to 1.0.0 the rules of the way in
 * match the networks of the cluster itself, so they translate only sources of a peer that uses the same ones.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go.
 */
export function lowerGatewayRuleset(cluster: AddressedCluster, peer: Peer): Ruleset {
  const local = translatesSourcesWrongly(cluster.release)
    ? { pod: cluster.podCIDRs[0]?.value, external: cluster.externalCIDR }
    : {};
  const origins = (cidr: RuleOrigin['cidr'], views: readonly View[]): readonly RuleOrigin[] =>
    views.filter((it) => isProgrammed(cluster, it)).map((view) => ({ peer: peer.name, cidr, view }));
  return {
    tables: [
      table('remap-podcidr', origins('pod', peer.podViews), local.pod),
      table('remap-externalcidr', origins('external', [peer.externalView]), local.external),
    ],
  };
}

function isProgrammed({ traits }: AddressedCluster, { cidr, seenAs }: View): boolean {
  return !traits.omitsIdentityRules || !samePrefix(cidr, seenAs);
}

function table(name: string, origins: readonly RuleOrigin[], matched: Prefix | undefined): Table {
  return { family: 'ip', name, chains: [outgoingChain(origins), incomingChain(origins, matched)] };
}

function outgoingChain(origins: readonly RuleOrigin[]): Chain {
  const rules = origins.map(destinationToReal);
  return { name: 'outgoing', type: 'nat', hook: 'prerouting', priority: -100, policy: 'accept', rules };
}

function incomingChain(origins: readonly RuleOrigin[], matched: Prefix | undefined): Chain {
  const rules = origins.map((it) => sourceToView(it, matched ?? it.view.cidr));
  return { name: 'incoming', type: 'nat', hook: 'postrouting', priority: 100, policy: 'accept', rules };
}

// The names of these rules are ours: Liqo sets none, and its webhook adds random ones.

function destinationToReal(origin: RuleOrigin): NftRule {
  const { cidr, seenAs } = origin.view;
  return {
    kind: 'dnat-prefix',
    name: ruleName('outgoing', origin.peer, origin.cidr, cidr),
    match: { ...ANY, daddr: seenAs, iifnameNot: [DEFAULT_INTERFACE, TUNNEL_INTERFACE] },
    to: cidr,
    origin,
  };
}

function sourceToView(origin: RuleOrigin, saddr: Prefix): NftRule {
  const { cidr, seenAs } = origin.view;
  return {
    kind: 'snat-prefix',
    name: ruleName('incoming', origin.peer, origin.cidr, cidr),
    match: { ...ANY, oifnameNot: [DEFAULT_INTERFACE], saddr, iifname: TUNNEL_INTERFACE },
    to: seenAs,
    origin,
  };
}
