import type { Prefix } from '../../base/net/prefix.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';

/** Packet rules as values, for printing them and for applying them to a packet, rule by rule. */
export interface Ruleset {
  readonly tables: readonly Table[];
}

export interface Table {
  readonly family: 'ip';
  /** Liqo's name; the text may need another one, see `printRuleset`. */
  readonly name: string;
  readonly chains: readonly Chain[];
}

/** A base chain. Chains on one hook run in order of priority, and in a chain the first rule that matches applies. */
export interface Chain {
  readonly name: string;
  readonly type: 'nat';
  readonly hook: 'prerouting' | 'postrouting';
  readonly priority: number;
  readonly policy: 'accept';
  readonly rules: readonly NftRule[];
}

/**
 * A rule that translates. A prefix rule keeps the host bits and moves the address to `to`; an address rule sets one
 * address.
 */
export type NftRule =
  | (NftRuleBase & { readonly kind: 'dnat-prefix'; readonly to: Prefix })
  | (NftRuleBase & { readonly kind: 'snat-prefix'; readonly to: Prefix })
  | (NftRuleBase & { readonly kind: 'snat-address'; readonly to: number });

interface NftRuleBase {
  /** Unique in its ruleset. Liqo's own name where Liqo sets one. */
  readonly name: string;
  readonly match: Match;
  readonly origin: RuleOrigin;
}

/** Conditions on a packet; `null` and an empty list are no condition. */
export interface Match {
  readonly oifname: string | null;
  readonly oifnameNot: readonly string[];
  readonly daddr: Prefix | null;
  readonly saddr: Prefix | null;
  readonly saddrNot: readonly Prefix[];
  readonly iifname: string | null;
  readonly iifnameNot: readonly string[];
}

/** Matches every packet. */
export const ANY: Match = {
  oifname: null,
  oifnameNot: [],
  daddr: null,
  saddr: null,
  saddrNot: [],
  iifname: null,
  iifnameNot: [],
};

/** The view that a rule implements. */
export interface RuleOrigin {
  readonly peer: string;
  readonly cidr: 'pod' | 'external';
  readonly view: View;
}
