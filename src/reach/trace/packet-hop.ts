import type { NftRule } from '../../bundle/nftables/ruleset.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { Packet } from './packet.ts';
import type { Device } from './rulesets.ts';

/** A place that a packet passes, with the addresses that it has when it leaves this place. */
export interface PacketHop extends Packet {
  readonly cluster: string;
  readonly did: Did;
}

/** What happens to a packet at a place. `peer` names the gateway: the one towards this peer. */
export type Did =
  | { readonly kind: 'sent'; readonly by: 'pod' | 'node' }
  /** The node applies its rules for packets to a peer. */
  | { readonly kind: 'left-node'; readonly peer: string; readonly rule: AppliedRule | null }
  /** Geneve, from a node to a gateway or back. `route`: the RouteConfiguration behind it. */
  | { readonly kind: 'overlay'; readonly to: Device; readonly peer: string; readonly route: string }
  | { readonly kind: 'prerouting'; readonly peer: string; readonly rule: AppliedRule | null }
  /** A single address of the external CIDR is mapped to a pod; the rule exists at run time only. */
  | { readonly kind: 'mapped'; readonly peer: string }
  | { readonly kind: 'tunnel'; readonly link: Link; readonly to: string; readonly route: string }
  | { readonly kind: 'postrouting'; readonly peer: string; readonly rule: AppliedRule | null }
  /** On the way back: connection tracking reverses the translation of the first packet. */
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
}
