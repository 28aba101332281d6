import { fnv1a } from '../../../base/net/fnv.ts';
import { type FirewallRule, firewallRules } from './firewall-rules.ts';
import { chainName, type FirewallScope, fillIn, ruleHeader } from './rule-header.ts';

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
    ...rules.out.map((it) => fillIn(it, `-A ${out} ${ruleText(it)}`)),
    ...rules.into.map((it) => fillIn(it, `-A ${into} ${ruleText(it)}`)),
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

function ruleText({ protocol, source, address, port, comment }: FirewallRule): string {
  const from = source === null ? '' : `-s ${source} `;
  return `${from}-d ${address} -p ${protocol} --dport ${port} -m comment --comment "${comment}" -j ACCEPT`;
}
