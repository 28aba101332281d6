import { headerText } from '../../base/core/generated-files.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { GENEVE_PORT } from '../../base/releases/gateways.ts';
import { translatesSourcesWrongly } from '../../base/releases/release.ts';
import { type AddressedCluster, type Peer, unknownSource, type View } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import { lowerGatewayRuleset, lowerNodeRuleset } from './lower-rulesets.ts';
import { printRuleset } from './ruleset.ts';

/** `nftables/<peer>.nft`: the translations of the cluster's gateway towards a peer. */
export function gatewaySnippet(cluster: AddressedCluster, peer: Peer, fleet: Fleet): string {
  return printRuleset(lowerGatewayRuleset(cluster, peer), gatewayHeader(cluster, peer, fleet));
}

/** `nftables/nodes/<peer>.nft`: the translations of the cluster's nodes for packets to a peer. */
export function nodeSnippet(cluster: AddressedCluster, peer: Peer, fleet: Fleet): string {
  return printRuleset(lowerNodeRuleset(cluster, peer), nodeHeader(cluster, peer, fleet));
}

/** The lines above the rules of `gatewaySnippet`, which `ruleLines` needs to find the line of a rule. */
export function gatewayHeader(cluster: AddressedCluster, peer: Peer, fleet: Fleet): readonly string[] {
  return [
    headerText(fleet.topologyFile),
    '',
    `The gateway of ${cluster.name} towards ${peer.name}: on the way out addresses that ${cluster.name} uses for`,
    `${peer.name} become ${peer.name}'s own, on the way in ${peer.name}'s own become those again.`,
    ...(translatesSourcesWrongly(cluster.release)
      ? [
          `Liqo ${cluster.release.version} does this on the way in only for addresses of ${cluster.name}'s own networks.`,
        ]
      : []),
    '',
    ...viewLines(cluster, peer),
    '',
    ...WARNING,
  ];
}

/** The lines above the rules of `nodeSnippet`. */
export function nodeHeader(cluster: AddressedCluster, peer: Peer, fleet: Fleet): readonly string[] {
  return [
    headerText(fleet.topologyFile),
    '',
    ...sourceLines(cluster, peer),
    '',
    ...viewLines(cluster, peer),
    '',
    'Mappings of single addresses and of nodes exist at run time only and are not here.',
    ...(cluster.fabric.gatewayMasqueradeBypass ? BYPASS_OF_GATEWAYS : []),
    ...WARNING,
  ];
}

function sourceLines(cluster: AddressedCluster, peer: Peer): readonly string[] {
  const { name, fabric } = cluster;
  const unknown = `${printAddress(unknownSource(cluster))}, the first address of ${name}'s external CIDR.`;
  if (!fabric.fullMasquerade) {
    return [
      `Every node of ${name}, for packets to ${peer.name}: pods of ${name} keep their address, and any other`,
      `source becomes ${unknown}`,
    ];
  }
  return [`Every node of ${name}, for packets to ${peer.name}: every source, also that of a pod, becomes`, unknown];
}

/**
 * Lines about a table of each node that contains addresses of pods. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/internal-network/gw-masq-bypass/k8s.go.
 */
const BYPASS_OF_GATEWAYS = [
  'So does a table <node>-gw-masquerade-bypass on each node with a gateway, whose rule keeps the source of the overlay:',
  `ip saddr <gateway pod> udp dport ${GENEVE_PORT} snat to <gateway pod>`,
];

const WARNING = [
  'Liqo programs this by itself. The file documents and simulates it: do not load it beside',
  'Liqo, or addresses would be translated twice.',
];

function viewLines(cluster: AddressedCluster, peer: Peer): readonly string[] {
  const line = (what: string, { cidr, seenAs }: View): string => {
    const seen = samePrefix(cidr, seenAs) ? 'as it is' : `as ${printPrefix(seenAs)}`;
    return `${cluster.name} sees the ${what} CIDR ${printPrefix(cidr)} of ${peer.name} ${seen}.`;
  };
  return [...peer.podViews.map((it) => line('pod', it)), line('external', peer.externalView)];
}
