import { type FirewallRule, firewallRules } from './firewall-rules.ts';
import { chainName, type FirewallScope, fillIn, ruleHeader } from './rule-header.ts';

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
  ...rules.map((it) => fillIn(it, `add rule ${TABLE} ${chain} ${ruleText(it)}`)),
];

function ruleText({ protocol, source, address, port, comment }: FirewallRule): string {
  const from = source === null ? '' : `ip saddr ${source} `;
  return `${from}ip daddr ${address} ${protocol} dport ${port} accept comment "${comment}"`;
}
