import { printBundlePath } from '../../base/core/bundle-path.ts';
import { oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { FENCE_PREFIX, lowerFenceRuleset } from '../../bundle/enforcement/lower-fence.ts';
import { lowerGatewayRuleset, lowerNodeRuleset } from '../../bundle/nftables/lower-rulesets.ts';
import { gatewayHeader, nodeHeader } from '../../bundle/nftables/render-snippets.ts';
import { type NftRule, type Ruleset, ruleLines } from '../../bundle/nftables/ruleset.ts';
import type { Boundaries, BoundedModel } from '../../fleet/boundaries/bounded-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clusterNamed,
  type Peer,
} from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { LendingNetwork } from '../../fleet/sharing/shared-model.ts';
import { type Address, sameAddress } from './address.ts';

/** The fields of a packet that NAT may change. Ports do not change, so a trace needs none. */
export interface Packet {
  readonly source: Address;
  readonly destination: Address;
}

/** The answer to a packet, as its receiver sends it. */
export const answerTo = ({ source, destination }: Packet): Packet => ({ source: destination, destination: source });

export const samePacket = (a: Packet, b: Packet): boolean =>
  sameAddress(a.source, b.source) && sameAddress(a.destination, b.destination);

/** A place that a packet passes, with the addresses that it has when it leaves this place. */
export interface PacketHop extends Packet {
  readonly cluster: string;
  readonly did: Did;
}

/** The event at a place that a packet passes. `peer` identifies the gateway: the one towards this peer. */
export type Did =
  | { readonly kind: 'sent'; readonly by: 'pod' | 'node' }
  /** The node applies its rules for packets to a peer. */
  | { readonly kind: 'left-node'; readonly peer: string; readonly rule: AppliedRule | null }
  /** A Geneve tunnel, from a node to a gateway or back. `route`: the RouteConfiguration that leads there. */
  | { readonly kind: 'overlay'; readonly to: Device; readonly peer: string; readonly route: string }
  | { readonly kind: 'prerouting'; readonly peer: string; readonly rule: AppliedRule | null }
  /** A single address of the external CIDR is mapped to a pod; the rule exists at run time only. */
  | { readonly kind: 'mapped'; readonly peer: string }
  | { readonly kind: 'tunnel'; readonly link: Link; readonly to: string; readonly route: string }
  | { readonly kind: 'postrouting'; readonly peer: string; readonly rule: AppliedRule | null }
  /** The answer's event: connection tracking reverses the translation of the first packet. */
  | { readonly kind: 'undone'; readonly on: Device; readonly peer: string }
  | { readonly kind: 'received'; readonly by: 'pod' | 'node' };

export interface AppliedRule {
  /** The cluster that has the rule. */
  readonly cluster: string;
  readonly peer: string;
  readonly device: Device;
  readonly table: string;
  readonly chain: string;
  readonly rule: NftRule;
  /** True when the rule was read from a cluster, and no file has it. */
  readonly isLive: boolean;
}

/** The device that applies rules: the gateway towards a peer, or every node. */
export type Device = 'gateway' | 'node';

const rulesetsOf: Readonly<Record<Device, (cluster: AddressedCluster) => (peer: Peer) => Ruleset>> = {
  gateway: oncePer((cluster) => oncePer((peer) => lowerGatewayRuleset(cluster, peer))),
  node: oncePer((cluster) => oncePer((peer) => lowerNodeRuleset(cluster, peer))),
};

/** The rules that a live cluster has for a peer, where they are not those that follow from its views. */
type OtherRules = (cluster: string, peer: string, device: Device) => Ruleset | undefined;

/** The routes of a cluster about a peer: to the gateway, into its tunnel, and from another gateway to a node. */
export type PeerRoute = 'to-gateway' | 'into-tunnel' | 'to-node';

/** The RouteConfiguration of a live cluster that lacks a route to an address of a peer; `undefined` when none does. */
type LackingRoute = (cluster: string, peer: string, of: PeerRoute, to: Prefix) => string | undefined;

/** Rules and routes of live clusters that do not follow from their views. */
export interface LiveState {
  readonly rules: OtherRules;
  readonly lackingRoute: LackingRoute;
}

/** The network that packets walk through; without boundaries, nothing refuses them. */
export type TracedNetwork = LendingNetwork & Partial<Pick<BoundedModel, 'boundaries'>>;

/** The protocol of a packet and the port that it is sent to; `null` for one that the request leaves open. */
export interface Transport {
  readonly protocol: 'tcp' | 'udp' | 'icmp' | null;
  readonly port: number | null;
}

const fencesOf = oncePer((boundaries: Boundaries) =>
  oncePer((cluster: AddressedCluster) => oncePer((peer: Peer) => lowerFenceRuleset(cluster, peer, { boundaries }))),
);

/** The fence of a cluster's gateway towards a peer; `null` without one. */
export const fenceOf = (boundaries: Boundaries, cluster: AddressedCluster, peer: Peer): Ruleset | null =>
  fencesOf(boundaries)(cluster)(peer);

/** True for the rule of a fence, which is in the object of the fence and in no snippet. */
const isOfFence = ({ table }: AppliedRule): boolean => table.startsWith(FENCE_PREFIX);

/** The rules of a cluster for one of its peers; kept, because many traces pass the same gateway. */
export const rulesetOf = (cluster: AddressedCluster, peer: Peer, device: Device): Ruleset =>
  rulesetsOf[device](cluster)(peer);

/** The position of a rule in the bundle. */
interface RulePlace {
  /** Path below `out/`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * The position of a rule that was applied; `null` for one of a live cluster. It prints the whole snippet, so call it
 * only for displayed rules.
 */
export function rulePlace(model: AddressedModel, applied: AppliedRule): RulePlace | null {
  const { cluster: name, peer: peerName, device, rule, isLive } = applied;
  if (isLive || isOfFence(applied)) return null;
  const cluster = clusterNamed(model, name);
  const peer = cluster.peers.get(peerName) ?? bug(`a rule of "${name}" for "${peerName}", which is no peer`);
  const header = device === 'gateway' ? gatewayHeader : nodeHeader;
  const lines: ReadonlyMap<NftRule, number> = ruleLines(
    rulesetOf(cluster, peer, device),
    header(cluster, peer, model.fleet),
  );
  const line = lines.get(rule) ?? bug(`no snippet contains rule "${rule.name}"`);
  const part = device === 'gateway' ? 'gateway-rules' : 'node-rules';
  return { file: printBundlePath({ part, cluster: name, peer: peerName }), line };
}
