import { visibleText } from '../core/visible-text.ts';
import type { Prefix } from '../net/prefix.ts';
import { printAddress, printPrefix } from '../net/text.ts';
import { render } from '../text/render.ts';
import type { Chain, Match, NftRule, Ruleset, Table } from './ruleset.ts';

/**
 * The ruleset as text for `nft -f`, below a comment with the lines of the header. Each rule is one line with its name
 * as its comment. A table whose name `nft` cannot parse is printed with `_` before it: no cluster's name begins with
 * `_`.
 */
export function printRuleset(ruleset: Ruleset, header: readonly string[]): string {
  return render('nftables/ruleset', { header: header.map(commentLine), tables: ruleset.tables.map(tableText) });
}

/** The line of each rule in the printed text, counted from 1. */
export function ruleLines(ruleset: Ruleset, header: readonly string[]): ReadonlyMap<NftRule, number> {
  const lines = printRuleset(ruleset, header).split('\n');
  const rules = ruleset.tables.flatMap((table) => table.chains.flatMap((chain) => chain.rules));
  const found = new Map<NftRule, number>();
  let at = 0;
  for (const rule of rules) {
    // Rules are printed in order, so the search for each begins below the one before.
    at = lines.indexOf(`    ${ruleText(rule)}`, at) + 1;
    found.set(rule, at);
  }
  return found;
}

const commentLine = (text: string): string => `# ${visibleText(text)}`.trimEnd();

function tableText({ family, name, chains }: Table): object {
  // Netlink accepts any name; the parser of nft 1.0.6 requires a word without quotes that does not begin with a digit.
  const printable = /^[A-Za-z]/.test(name);
  return {
    family,
    name: printable ? name : `_${name}`,
    notes: printable ? [] : [commentLine(`Liqo calls this table ${name}, a name that nft cannot parse.`)],
    chains: chains.map(chainText),
  };
}

function chainText({ name, type, hook, priority, policy, rules }: Chain): object {
  const declaration = `type ${type} hook ${hook} priority ${priority}; policy ${policy};`;
  return { name, declaration, rules: rules.map(ruleText) };
}

function ruleText(rule: NftRule): string {
  return [...matchTexts(rule.match), statement(rule), `comment "${rule.name}"`].join(' ');
}

function matchTexts(match: Match): readonly string[] {
  return [
    ...equal('oifname', match.oifname, quote),
    ...different('oifname', match.oifnameNot, quote),
    ...equal('ip daddr', match.daddr, printPrefix),
    ...equal('ip saddr', match.saddr, printPrefix),
    ...different('ip saddr', match.saddrNot, printPrefix),
    ...equal('iifname', match.iifname, quote),
    ...different('iifname', match.iifnameNot, quote),
  ];
}

const equal = <T extends string | Prefix>(key: string, value: T | null, print: (it: T) => string): readonly string[] =>
  value === null ? [] : [`${key} ${print(value)}`];

const different = <T>(key: string, values: readonly T[], print: (it: T) => string): readonly string[] =>
  values.map((it) => `${key} != ${print(it)}`);

const quote = (name: string): string => `"${name}"`;

function statement(rule: NftRule): string {
  switch (rule.kind) {
    case 'dnat-prefix':
      return `dnat ip prefix to ${printPrefix(rule.to)}`;
    case 'snat-prefix':
      return `snat ip prefix to ${printPrefix(rule.to)}`;
    case 'snat-address':
      return `snat to ${printAddress(rule.to)}`;
  }
}
