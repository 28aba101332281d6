import { visibleText } from '../../base/core/visible-text.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';

/** Packet rules as values, for printing them and for applying them to a packet, rule by rule. */
export interface Ruleset {
  readonly tables: readonly Table[];
}

export interface Table {
  readonly family: 'ip';
  /** Liqo's name; the printed name may differ, see `printRuleset`. */
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
  | (NftRuleBase & { readonly kind: 'dnat-address'; readonly to: number })
  | (NftRuleBase & { readonly kind: 'snat-prefix'; readonly to: Prefix })
  | (NftRuleBase & { readonly kind: 'snat-address'; readonly to: number });

interface NftRuleBase {
  /** Unique in its ruleset. Liqo's own name where Liqo sets one. */
  readonly name: string;
  readonly match: Match;
  /** `null` for a rule that was read from a cluster. */
  readonly origin: RuleOrigin | null;
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
  readonly daddrNot: readonly Prefix[];
  readonly protocol: 'tcp' | 'udp' | null;
  /** Ports of the destination; only beside a protocol. */
  readonly dport: { readonly first: number; readonly last: number } | null;
}

/** Conditions that match every packet. */
export const ANY: Match = {
  oifname: null,
  oifnameNot: [],
  daddr: null,
  saddr: null,
  saddrNot: [],
  iifname: null,
  iifnameNot: [],
  daddrNot: [],
  protocol: null,
  dport: null,
};

/** The view that a rule implements. */
export interface RuleOrigin {
  readonly peer: string;
  readonly cidr: 'pod' | 'external';
  readonly view: View;
}

/**
 * The ruleset as text for `nft -f`, below a comment with the lines of the header. Each rule is one line with its name
 * as its comment. A table whose name `nft` cannot parse is printed with `_` before it: no cluster's name begins with
 * `_`.
 */
export function printRuleset(ruleset: Ruleset, header: readonly string[]): string {
  let text = '';
  for (const it of header) text += `${commentLine(it)}\n`;
  for (const it of ruleset.tables) text += tableText(it);
  return text;
}

/** The line of each rule in the printed text, counted from 1. */
export function ruleLines(ruleset: Ruleset, header: readonly string[]): ReadonlyMap<NftRule, number> {
  const lines = printRuleset(ruleset, header).split('\n');
  const rules = ruleset.tables.flatMap((table) => table.chains.flatMap((chain) => chain.rules));
  const found = new Map<NftRule, number>();
  let at = 0;
  for (const rule of rules) {
    // Rules are printed in order, so the search for each begins below the previous one.
    at = lines.indexOf(`    ${ruleText(rule)}`, at) + 1;
    found.set(rule, at);
  }
  return found;
}

const commentLine = (text: string): string => `# ${visibleText(text)}`.trimEnd();

function tableText({ family, name, chains }: Table): string {
  // Netlink accepts any name; the parser of nft 1.0.6 requires a word without quotes that does not begin with a digit.
  const printable = /^[A-Za-z]/.test(name);
  let text = printable
    ? `\ntable ${family} ${name} {\n`
    : `\n${commentLine(`Liqo calls this table ${name}, a name that nft cannot parse.`)}\ntable ${family} _${name} {\n`;
  for (const it of chains) text += chainText(it);
  return `${text}}\n`;
}

function chainText({ name, type, hook, priority, policy, rules }: Chain): string {
  let text = `  chain ${name} {\n    type ${type} hook ${hook} priority ${priority}; policy ${policy};\n`;
  for (const it of rules) text += `    ${ruleText(it)}\n`;
  return `${text}  }\n`;
}

const ruleText = (rule: NftRule): string => `${matchText(rule.match)}${statement(rule)} comment "${rule.name}"`;

/** The conditions as text; each ends with a space. */
function matchText(match: Match): string {
  let text = '';
  if (match.oifname !== null) text += `oifname "${match.oifname}" `;
  for (const it of match.oifnameNot) text += `oifname != "${it}" `;
  if (match.daddr !== null) text += `ip daddr ${printPrefix(match.daddr)} `;
  if (match.saddr !== null) text += `ip saddr ${printPrefix(match.saddr)} `;
  for (const it of match.saddrNot) text += `ip saddr != ${printPrefix(it)} `;
  if (match.iifname !== null) text += `iifname "${match.iifname}" `;
  for (const it of match.iifnameNot) text += `iifname != "${it}" `;
  for (const it of match.daddrNot) text += `ip daddr != ${printPrefix(it)} `;
  if (match.dport !== null) text += `${match.protocol ?? 'th'} dport ${portText(match.dport)} `;
  else if (match.protocol !== null) text += `meta l4proto ${match.protocol} `;
  return text;
}

const portText = ({ first, last }: NonNullable<Match['dport']>): string =>
  first === last ? String(first) : `${first}-${last}`;

function statement(rule: NftRule): string {
  switch (rule.kind) {
    case 'dnat-prefix':
      return `dnat ip prefix to ${printPrefix(rule.to)}`;
    case 'dnat-address':
      return `dnat to ${printAddress(rule.to)}`;
    case 'snat-prefix':
      return `snat ip prefix to ${printPrefix(rule.to)}`;
    case 'snat-address':
      return `snat to ${printAddress(rule.to)}`;
  }
}
