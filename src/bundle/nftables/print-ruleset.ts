import { visibleText } from '../../base/core/visible-text.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { Chain, Match, NftRule, Ruleset, Table } from './ruleset.ts';

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
    // Rules are printed in order, so the search for each begins below the one before.
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

/** Every condition ends with a space. */
function matchText(match: Match): string {
  let text = '';
  if (match.oifname !== null) text += `oifname "${match.oifname}" `;
  for (const it of match.oifnameNot) text += `oifname != "${it}" `;
  if (match.daddr !== null) text += `ip daddr ${printPrefix(match.daddr)} `;
  if (match.saddr !== null) text += `ip saddr ${printPrefix(match.saddr)} `;
  for (const it of match.saddrNot) text += `ip saddr != ${printPrefix(it)} `;
  if (match.iifname !== null) text += `iifname "${match.iifname}" `;
  for (const it of match.iifnameNot) text += `iifname != "${it}" `;
  return text;
}

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
