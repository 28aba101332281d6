import type { LiveObject } from './recordings.ts';

/** Chains by `table chain`, each with its declaration and then its rules, all as one text in one form. */
export type Chains = ReadonlyMap<string, readonly string[]>;

interface FirewallMatch {
  readonly op: 'eq' | 'neq';
  readonly ip?: { readonly position: 'src' | 'dst'; readonly value: string };
  readonly dev?: { readonly position: 'in' | 'out'; readonly value: string };
}

interface NatRule {
  readonly name?: string;
  readonly natType: 'dnat' | 'snat';
  readonly match: readonly FirewallMatch[];
  readonly to: string;
}

interface FirewallChain {
  readonly name: string;
  readonly type: string;
  readonly hook: string;
  readonly priority: number;
  readonly policy: string;
  readonly rules: { readonly natRules?: readonly NatRule[] };
}

interface FirewallSpec {
  readonly table: { readonly name: string; readonly family: string; readonly chains: readonly FirewallChain[] };
}

/** The chains of a FirewallConfiguration. */
export function liveChains({ spec }: LiveObject): Chains {
  const { table } = spec as FirewallSpec;
  return new Map(
    table.chains.map(({ name, type, hook, priority, policy, rules }) => [
      `${table.name} ${name}`,
      [`type ${type} hook ${hook} priority ${priority}; policy ${policy};`, ...(rules.natRules ?? []).map(liveRule)],
    ]),
  );
}

/** Random names, which the webhook adds to rules without one, are left out. */
function liveRule({ name = '', natType, match, to }: NatRule): string {
  const parts = [...match.map(liveMatch), `${natType} ${to.includes('/') ? 'ip prefix ' : ''}to ${to}`].sort();
  return [...parts, ...(isRandom(name) ? [] : [`"${name}"`])].join(' ');
}

const isRandom = (name: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);

function liveMatch({ op, ip, dev }: FirewallMatch): string {
  const sign = op === 'neq' ? '!= ' : '';
  if (ip) return `ip ${ip.position === 'src' ? 'saddr' : 'daddr'} ${sign}${ip.value}`;
  return `${dev?.position === 'in' ? 'iifname' : 'oifname'} ${sign}"${dev?.value}"`;
}

/**
 * The chains of a file of `nftables/`, as weft prints it. Liqo sets no names of rules in the two tables of a gateway, and
 * before a name of a table that begins with a digit, which nft cannot read, weft prints `_`.
 */
export function printedChains(text: string): Chains {
  const chains = new Map<string, string[]>();
  let table = '';
  let chain: string[] = [];
  for (const line of text.split('\n').map((it) => it.trim())) {
    const [, tableName] = /^table ip (\S+) \{$/.exec(line) ?? [];
    const [, chainName] = /^chain (\S+) \{$/.exec(line) ?? [];
    if (tableName !== undefined) table = tableName.replace(/^_(?=[0-9])/, '');
    else if (chainName !== undefined) {
      chain = [];
      chains.set(`${table} ${chainName}`, chain);
    } else if (/^type /.test(line)) chain.push(line);
    else if (/nat (ip prefix )?to /.test(line)) chain.push(printedRule(line, table));
  }
  return chains;
}

const PART = /(ip [sd]addr (?:!= )?\S+|[io]ifname (?:!= )?"[^"]*"|[sd]nat (?:ip prefix )?to \S+)/g;

function printedRule(line: string, table: string): string {
  const [, name = ''] = /comment "([^"]*)"$/.exec(line) ?? [];
  const parts = [...line.replace(/ comment .*$/, '').matchAll(PART)].map(([it]) => it).sort();
  return [...parts, ...(table.startsWith('remap-') ? [] : [`"${name}"`])].join(' ');
}
