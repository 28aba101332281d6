import { visibleText } from '../../../base/core/visible-text.ts';
import { fnv1a } from '../../../base/net/fnv.ts';
import { readAddress } from '../../../base/net/text.ts';
import { type Opening, type Target, targetInside } from '../../../reach/ports/opening.ts';
import { isName, PURPOSES, UNKNOWN, unrecordedRemark } from './opening-remarks.ts';

/** A rule of the firewall in front of one cluster that accepts the first packet of a flow. */
interface FirewallRule {
  readonly protocol: Opening['protocol'];
  /** An IPv4 address or network; `null` for any. */
  readonly source: string | null;
  /** An IPv4 address, or a word in its place when it is missing. */
  readonly address: string;
  readonly port: string;
  /** What it is for, in letters, digits, spaces and hyphens: names of clusters have no others. */
  readonly comment: string;
  /** What a person has to fill in before the rule can be loaded; `null` for nothing. */
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
  // Where packets leave, they have addresses of nodes, and not yet those that others see.
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

/** Where Debian, Red Hat and others have the chains of their default ruleset. */
const TABLE = 'inet filter';

/** Commands for nft, which replace the rules of an earlier run and no others. */
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

/** Characters of a name of a chain. Source: linux include/uapi/linux/netfilter/x_tables.h (XT_EXTENSION_MAXNAMELEN, 29 with its end). */
const LONGEST_CHAIN = 28;

/** Input of `iptables-restore --noflush`, which replaces the rules of an earlier run and no others. */
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

/** A name that is too long is cut, and gets a hash of the whole one. */
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

/** The firewall that rules are printed for. */
interface FirewallScope {
  readonly fleet: string;
  /** The cluster behind it. */
  readonly cluster: string;
  /** The only other cluster that the rules are about; `null` for all. */
  readonly peer: string | null;
  readonly openings: readonly Opening[];
}

/** The name of a chain. No name of a cluster has a dot, so no two chains have one name. */
const chainName = ({ cluster, peer }: Pick<FirewallScope, 'cluster' | 'peer'>, direction: 'in' | 'out'): string =>
  ['weft', cluster, ...(peer === null ? [] : [peer]), direction].join('.');

/** A rule as a line, which is a comment where a person has to complete it. */
const fillIn = ({ missing }: FirewallRule, line: string): string =>
  missing === null ? line : `# fill in: ${visibleText(missing)}: ${line}`;

/** The commands that load rules and make them effective. */
interface RuleCommands {
  readonly load: string;
  readonly jumps: readonly string[];
}

/** The first lines of rules that people paste. */
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
