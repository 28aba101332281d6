import { visibleText } from '../../../base/core/visible-text.ts';
import { fnv1a } from '../../../base/net/fnv.ts';
import { readAddress } from '../../../base/net/text.ts';
import { type Opening, type Target, targetInside } from '../../../reach/ports/openings.ts';
import { isName, PURPOSES, UNKNOWN, unrecordedRemark } from './opening-remarks.ts';

/** A rule of the firewall in front of one cluster that accepts the first packet of a flow. */
interface FirewallRule {
  readonly protocol: Opening['protocol'];
  /** An IPv4 address or network; `null` for any. */
  readonly source: string | null;
  /** An IPv4 address, or a placeholder when it is missing. */
  readonly address: string;
  readonly port: string;
  /** The purpose in letters, digits, spaces and hyphens, which are the only characters in names of clusters. */
  readonly comment: string;
  /** The value that the user has to add before the rule can be loaded; `null` if the rule is complete. */
  readonly missing: string | null;
}

/** The rules of one cluster's firewall in each direction. */
interface FirewallRules {
  readonly out: readonly FirewallRule[];
  readonly into: readonly FirewallRule[];
}

interface FirewalledCluster {
  readonly cluster: string;
  readonly openings: readonly Opening[];
}

const firewallRules = ({ cluster, openings }: FirewalledCluster): FirewallRules => ({
  // Outgoing packets have node addresses, which NAT may still replace.
  out: openings
    .filter((it) => it.from === cluster)
    .map((it) => ({ ...ruleTo(it.dialled, it), source: null, comment: `${PURPOSES[it.purpose]} to ${it.to}` })),
  into: openings
    .filter((it) => it.to === cluster)
    .flatMap((it) => {
      const comment = `${PURPOSES[it.purpose]} from ${it.from}`;
      const sources = it.sources.length === 0 ? [null] : it.sources;
      return sources.map((source) => ({ ...ruleTo(targetInside(it), it), source, comment }));
    }),
});

function ruleTo({ address, port }: Target, { protocol }: Opening): Omit<FirewallRule, 'source' | 'comment'> {
  const ipv4 = address !== null && readAddress(address) !== undefined ? address : null;
  const missing = [
    ...(ipv4 === null ? [`ADDRESS is ${addressToFill(address)}`] : []),
    ...(port === null ? [`PORT is ${UNKNOWN}`] : []),
  ];
  return {
    protocol,
    address: ipv4 ?? 'ADDRESS',
    port: port === null ? 'PORT' : String(port),
    missing: missing.length === 0 ? null : missing.join(', '),
  };
}

function addressToFill(address: string | null): string {
  if (address === null) return UNKNOWN;
  return isName(address) ? `what ${address} resolves to` : `${address}, which needs a rule for IPv6`;
}

/** The table of the default ruleset on Debian, Red Hat and others. */
const TABLE = 'inet filter';

/** Commands for nft that replace only the rules of an earlier run. */
export function printNftables(scope: FirewallScope): string {
  const rules = firewallRules(scope);
  const [out, into] = [chainName(scope, 'out'), chainName(scope, 'in')];
  const lines = [
    ...ruleHeader(scope, rules, {
      load: 'nft -f FILE',
      jumps: [out, into].map((it) => `nft add rule ${TABLE} forward jump ${it}`),
    }),
    `add table ${TABLE}`,
    ...chainLines(out, rules.out),
    ...chainLines(into, rules.into),
  ];
  return `${lines.join('\n')}\n`;
}

const chainLines = (chain: string, rules: readonly FirewallRule[]): readonly string[] => [
  `add chain ${TABLE} ${chain}`,
  `flush chain ${TABLE} ${chain}`,
  ...rules.map((it) => fillIn(it, `add rule ${TABLE} ${chain} ${nftablesRule(it)}`)),
];

function nftablesRule({ protocol, source, address, port, comment }: FirewallRule): string {
  const from = source === null ? '' : `ip saddr ${source} `;
  return `${from}ip daddr ${address} ${protocol} dport ${port} accept comment "${comment}"`;
}

/**
 * The greatest length of a chain name. Source: linux include/uapi/linux/netfilter/x_tables.h (XT_EXTENSION_MAXNAMELEN,
 * 29 with its end).
 */
const LONGEST_CHAIN = 28;

/** Input of `iptables-restore --noflush` that replaces only the rules of an earlier run. */
export function printIptables(scope: FirewallScope): string {
  const rules = firewallRules(scope);
  const [out, into] = [shortName(scope, 'out'), shortName(scope, 'in')];
  const lines = [
    ...ruleHeader(scope, rules, {
      load: 'iptables-restore --noflush FILE',
      jumps: [out, into].map((it) => `iptables -A FORWARD -j ${it}`),
    }),
    '*filter',
    `:${out} - [0:0]`,
    `:${into} - [0:0]`,
    ...rules.out.map((it) => fillIn(it, `-A ${out} ${iptablesRule(it)}`)),
    ...rules.into.map((it) => fillIn(it, `-A ${into} ${iptablesRule(it)}`)),
    'COMMIT',
  ];
  return `${lines.join('\n')}\n`;
}

/** Shortens a name that is too long, and appends a hash of the whole name. */
function shortName(scope: FirewallScope, direction: 'in' | 'out'): string {
  const name = chainName(scope, direction);
  if (name.length <= LONGEST_CHAIN) return name;
  const end = `.${fnv1a(name).toString(16).padStart(8, '0')}.${direction}`;
  return `${name.slice(0, LONGEST_CHAIN - end.length)}${end}`;
}

function iptablesRule({ protocol, source, address, port, comment }: FirewallRule): string {
  const from = source === null ? '' : `-s ${source} `;
  return `${from}-d ${address} -p ${protocol} --dport ${port} -m comment --comment "${comment}" -j ACCEPT`;
}

/** The firewall for which rules are printed. */
interface FirewallScope {
  readonly fleet: string;
  /** The cluster behind it. */
  readonly cluster: string;
  /** The only other cluster in the rules; `null` for all. */
  readonly peer: string | null;
  readonly openings: readonly Opening[];
}

/** The name of a chain. Names are unique, because names of clusters have no dots. */
const chainName = ({ cluster, peer }: Pick<FirewallScope, 'cluster' | 'peer'>, direction: 'in' | 'out'): string =>
  ['weft', cluster, ...(peer === null ? [] : [peer]), direction].join('.');

/** Prints a rule as a line; an incomplete rule is a comment. */
const fillIn = ({ missing }: FirewallRule, line: string): string =>
  missing === null ? line : `# fill in: ${visibleText(missing)}: ${line}`;

/** The commands that load and activate rules. */
interface RuleCommands {
  readonly load: string;
  readonly jumps: readonly string[];
}

/** The comment above the rules. */
const ruleHeader = (
  { fleet, cluster, peer, openings }: FirewallScope,
  { out, into }: FirewallRules,
  { load, jumps }: RuleCommands,
): readonly string[] => [
  `# What the firewall of ${cluster} accepts${peer === null ? '' : ` for ${peer}`}, in the fleet ${visibleText(fleet)}.`,
  '# It is one in front of the nodes: a node translates destinations before it filters.',
  `# Load this with "${load}", and let your own chains jump to it:`,
  ...jumps.map((it) => `#   ${it}`),
  '# Answers have no rule here: your rules accept packets of established flows.',
  ...(into.some((it) => it.source === null)
    ? ['# Rules into the cluster accept any source where none is named with "weft ports --source CLUSTER=ADDRESS".']
    : []),
  ...unrecordedRemark(openings).map((it) => `# ${it}`),
  ...([...out, ...into].some((it) => it.missing !== null)
    ? ['# Rules behind "fill in" have no effect before a person completes them.']
    : []),
];
