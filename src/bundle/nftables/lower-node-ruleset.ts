import type { Prefix } from '../../base/net/prefix.ts';
import { type AddressedCluster, ownEnd, type Peer, unknownSource } from '../../fleet/ipam/addressed-model.ts';
import { ruleName } from './rule-name.ts';
import { ANY, type NftRule, type RuleOrigin, type Ruleset } from './ruleset.ts';

/**
 * The translations of every node of a cluster for packets to a peer, before the CNI can masquerade them: a pod keeps
 * its address, any other source becomes the unknown source. Where nodes masquerade everything, every source does.
 * Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go.
 */
export function lowerNodeRuleset(cluster: AddressedCluster, peer: Peer): Ruleset {
  const name = `${ownEnd(peer).names.configuration}-masquerade-bypass`;
  const rules = rulesOf(bypassOf(cluster, peer));
  const chain = { name: 'pre-postrouting', type: 'nat', hook: 'postrouting', priority: 99, policy: 'accept' } as const;
  return { tables: [{ family: 'ip', name, chains: [{ ...chain, rules }] }] };
}

/** The values that the rules are built from. */
interface Bypass {
  /** Name of the Configuration, which is in those of rules. */
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

/** In Liqo's order. */
function rulesOf(bypass: Bypass): readonly NftRule[] {
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

/** Translates a source that is not a pod to an address that the peer can answer. */
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
