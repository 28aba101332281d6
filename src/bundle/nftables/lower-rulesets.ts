import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { DEFAULT_INTERFACE, TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { translatesSourcesWrongly } from '../../base/releases/release.ts';
import {
  type AddressedCluster,
  ownEnd,
  type Peer,
  unknownSource,
  type View,
} from '../../fleet/ipam/addressed-model.ts';
import { ANY, type Chain, type NftRule, type RuleOrigin, type Ruleset, type Table } from './ruleset.ts';

/**
 * The translations of a cluster's gateway towards a peer: for outgoing packets the view becomes the real destination,
 * for incoming ones the real source becomes the view. Both tables exist even when they are empty. Up to 1.0.0 the rules
 * for incoming packets match the networks of the cluster itself, so they translate only sources of a peer with the same
 * networks. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go.
 */
export function lowerGatewayRuleset(cluster: AddressedCluster, peer: Peer): Ruleset {
  const local = translatesSourcesWrongly(cluster.release)
    ? { pod: cluster.podCIDRs[0]?.value, external: cluster.externalCIDR }
    : {};
  const origins = (cidr: RuleOrigin['cidr'], views: readonly View[]): readonly RuleOrigin[] =>
    views.filter((it) => isProgrammed(cluster, it)).map((view) => ({ peer: peer.name, cidr, view }));
  return {
    tables: [
      gatewayTable('remap-podcidr', origins('pod', peer.podViews), local.pod),
      gatewayTable('remap-externalcidr', origins('external', [peer.externalView]), local.external),
    ],
  };
}

function isProgrammed({ traits }: AddressedCluster, { cidr, seenAs }: View): boolean {
  return !traits.omitsIdentityRules || !samePrefix(cidr, seenAs);
}

function gatewayTable(name: string, origins: readonly RuleOrigin[], matched: Prefix | undefined): Table {
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

// weft chooses the names of these rules: Liqo sets none, and its webhook adds random ones.

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

/**
 * The translations of every node of a cluster for packets to a peer, before the CNI can masquerade them: a pod keeps
 * its address, any other source becomes the unknown source. With full masquerading, every source becomes the unknown
 * source. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go.
 */
export function lowerNodeRuleset(cluster: AddressedCluster, peer: Peer): Ruleset {
  const name = `${ownEnd(peer).names.configuration}-masquerade-bypass`;
  const rules = nodeRules(bypassOf(cluster, peer));
  const chain = { name: 'pre-postrouting', type: 'nat', hook: 'postrouting', priority: 99, policy: 'accept' } as const;
  return { tables: [{ family: 'ip', name, chains: [{ ...chain, rules }] }] };
}

/** The values that the rules are built from. */
interface Bypass {
  /** Name of the Configuration, which is a part of the names of rules. */
  readonly configuration: string;
  /** Networks whose addresses are kept as sources; none with `fullMasquerade`. */
  readonly local: readonly Prefix[];
  readonly pods: readonly RuleOrigin[];
  readonly external: RuleOrigin;
  readonly unknownSource: number;
  /** True when names of rules contain networks. */
  readonly longNames: boolean;
}

function bypassOf(cluster: AddressedCluster, peer: Peer): Bypass {
  return {
    configuration: ownEnd(peer).names.configuration,
    local: cluster.fabric.fullMasquerade ? [] : cluster.podCIDRs.map((it) => it.value),
    pods: peer.podViews.map((view) => ({ peer: peer.name, cidr: 'pod', view })),
    external: { peer: peer.name, cidr: 'external', view: peer.externalView },
    unknownSource: unknownSource(cluster),
    longNames: cluster.traits.namesBypassRulesByCIDR,
  };
}

/** The rules in Liqo's order. */
function nodeRules(bypass: Bypass): readonly NftRule[] {
  const { local, pods, external } = bypass;
  return [
    ...local.flatMap((from) => pods.map((to) => keepSource(bypass, from, to))),
    ...pods.map((to) => setUnknownSource(bypass, to)),
    ...local.map((from) => keepSource(bypass, from, external)),
    setUnknownSource(bypass, external),
  ];
}

/** Translates a pod's address to itself: this ends NAT for the packet, so the CNI does not masquerade it. */
function keepSource({ configuration, longNames }: Bypass, from: Prefix, origin: RuleOrigin): NftRule {
  const { seenAs } = origin.view;
  const networks = origin.cidr === 'pod' ? [from, seenAs] : [from];
  return {
    kind: 'snat-prefix',
    name: ruleName('podcidr', configuration, ...marks(origin), ...(longNames ? networks : [])),
    match: { ...ANY, daddr: seenAs, saddr: from },
    to: from,
    origin,
  };
}

/** Translates a source that is not a pod to an address that the peer can answer to. */
function setUnknownSource(bypass: Bypass, origin: RuleOrigin): NftRule {
  const { configuration, local, unknownSource: to, longNames } = bypass;
  const { seenAs } = origin.view;
  const networks = origin.cidr === 'pod' && longNames ? [seenAs] : [];
  return {
    kind: 'snat-address',
    name: ruleName('service-nodeport', configuration, ...marks(origin), ...networks),
    match: { ...ANY, daddr: seenAs, saddrNot: local },
    to,
    origin,
  };
}

const marks = (origin: RuleOrigin): readonly string[] => (origin.cidr === 'external' ? ['ext'] : []);

/**
 * The name of a rule: its words joined with `-`, networks in the form that Liqo uses in names, `10-200-0-0-16`.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/cidr/cidr.go (EscapeForNameStr).
 */
function ruleName(...parts: readonly (string | Prefix)[]): string {
  return parts.map((it) => (typeof it === 'string' ? it : printPrefix(it).replace(/[./]/g, '-'))).join('-');
}
