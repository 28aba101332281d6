import { lowerGatewayRuleset } from '../../bundle/nftables/lower-gateway-ruleset.ts';
import { lowerNodeRuleset } from '../../bundle/nftables/lower-node-ruleset.ts';
import type { Ruleset } from '../../bundle/nftables/ruleset.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';

/** The device that applies rules: the gateway towards a peer, or every node. */
export type Device = 'gateway' | 'node';

const kept: Readonly<Record<Device, WeakMap<Peer, Ruleset>>> = { gateway: new WeakMap(), node: new WeakMap() };

/** The rules of a cluster for one of its peers; cached, because many traces pass the same gateway. */
export function rulesetOf(cluster: AddressedCluster, peer: Peer, device: Device): Ruleset {
  const lowered = kept[device].get(peer);
  if (lowered) return lowered;
  const ruleset = device === 'gateway' ? lowerGatewayRuleset(cluster, peer) : lowerNodeRuleset(cluster, peer);
  kept[device].set(peer, ruleset);
  return ruleset;
}
