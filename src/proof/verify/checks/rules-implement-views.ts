import { byCodeUnit, groupBy } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { readPrintedPrefix } from '../../../base/net/text.ts';
import { translatesSourcesWrongly } from '../../../base/releases/release.ts';
import type { Span } from '../../../base/source/source.ts';
import { masqueradesEverything } from '../expectation.ts';
import { addressText, cidrText } from '../networks.ts';
import type { NftChain, NftFile, NftMatch, NftNat, NftRule } from '../parse-nft.ts';
import type { RebuiltCluster, RebuiltPeer, SeenNetwork } from '../rebuild-network.ts';
import { forEachEnd } from './bundle-check.ts';

/**
 * The rules are those that Liqo creates for the views, each once, in its chain, in Liqo's order and with its name.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go and
 * internal-network/configuration-controller/firewall.go.
 */
export const rulesImplementViews = forEachEnd(function* (_, cluster, peer) {
  // A view that no file contains has no rules, and another check reports the missing file.
  if (peer.views.some((it) => it.cidr.text === undefined || it.seenAs.text === undefined)) return;
  const what = `"${cluster.name}" for "${peer.name}"`;
  if (peer.gatewayRules) yield* compareFile(peer.gatewayRules, gatewayTables(cluster, peer), what);
  if (peer.nodeRules) yield* compareFile(peer.nodeRules, nodeTables(cluster, peer), what);
});

interface WantedChain {
  readonly table: string;
  readonly name: string;
  readonly hook: string;
  readonly priority: number;
  /** In order. */
  readonly rules: readonly WantedRule[];
}

interface WantedRule {
  readonly name: string;
  /** In any order. */
  readonly parts: readonly string[];
}

function gatewayTables(cluster: RebuiltCluster, peer: RebuiltPeer): readonly WantedChain[] {
  return (['pod', 'external'] as const).flatMap((kind) => {
    const table = `remap-${kind}cidr`;
    const views = peer.views.filter((it) => it.kind === kind);
    // Up to 1.0.0 these rules match the cluster's own network instead of the peer's.
    const isWrong = translatesSourcesWrongly(cluster.expected.declared.release);
    const own = isWrong ? cluster.announces[kind][0]?.text : undefined;
    // Since 1.2 Liqo omits a rule that would change nothing; earlier releases compare pointers and create it.
    const moved = views.filter((it) => !cluster.expected.traits.omitsIdentityRules || it.cidr.text !== it.seenAs.text);
    return [
      {
        table,
        name: 'outgoing',
        hook: 'prerouting',
        priority: -100,
        rules: moved.map((it) => ({
          name: `outgoing-${peer.name}-${kind}-${inName(it.cidr.text)}`,
          parts: [
            `ip daddr ${it.seenAs.text}`,
            'iifname != "eth0"',
            'iifname != "liqo-tunnel"',
            `dnat prefix to ${it.cidr.text}`,
          ],
        })),
      },
      {
        table,
        name: 'incoming',
        hook: 'postrouting',
        priority: 100,
        rules: moved.map((it) => ({
          name: `incoming-${peer.name}-${kind}-${inName(it.cidr.text)}`,
          parts: [
            'oifname != "eth0"',
            `ip saddr ${own ?? it.cidr.text}`,
            'iifname "liqo-tunnel"',
            `snat prefix to ${it.seenAs.text}`,
          ],
        })),
      },
    ];
  });
}

/** A network in the form that it has in names: `10-200-0-0-16`. */
const inName = (cidr: string | undefined): string => (cidr ?? '').replace(/[./]/g, '-');

function nodeTables(cluster: RebuiltCluster, peer: RebuiltPeer): readonly WantedChain[] {
  const local = masqueradesEverything(cluster.expected.declared)
    ? []
    : cluster.announces.pod.map((it) => it.text ?? '');
  const block = readPrintedPrefix(cluster.announces.external[0]?.text ?? '');
  const unknown = block ? addressText(block.base) : '(no external CIDR)';
  const { configuration } = peer.names;
  // Since 1.2 there may be several networks, so names contain them; there is only one external CIDR of a peer.
  const networks = (...cidrs: readonly (string | undefined)[]): string =>
    cluster.expected.traits.namesBypassRulesByCIDR ? cidrs.map((it) => `-${inName(it)}`).join('') : '';
  const kept = ({ kind, seenAs }: SeenNetwork, pod: string): WantedRule => ({
    name: `podcidr-${configuration}${kind === 'pod' ? networks(pod, seenAs.text) : `-ext${networks(pod)}`}`,
    parts: [`ip daddr ${seenAs.text}`, `ip saddr ${pod}`, `snat prefix to ${pod}`],
  });
  const hidden = ({ kind, seenAs }: SeenNetwork): WantedRule => ({
    name: `service-nodeport-${configuration}${kind === 'pod' ? networks(seenAs.text) : '-ext'}`,
    parts: [`ip daddr ${seenAs.text}`, ...local.map((pod) => `ip saddr != ${pod}`), `snat to ${unknown}`],
  });
  const rules = (['pod', 'external'] as const).flatMap((kind) => {
    const views = peer.views.filter((it) => it.kind === kind);
    return [...local.flatMap((pod) => views.map((it) => kept(it, pod))), ...views.map(hidden)];
  });
  const name = `${configuration}-masquerade-bypass`;
  // nft cannot parse a name that begins with a digit.
  const table = /^[0-9]/.test(name) ? `_${name}` : name;
  return [{ table, name: 'pre-postrouting', hook: 'postrouting', priority: 99, rules }];
}

function* compareFile(file: NftFile, wanted: readonly WantedChain[], what: string): Iterable<Diagnostic> {
  const start = { source: file.source, start: 0, end: 0 };
  const left = new Map<string, NftChain>();
  for (const { family, name, at, chains } of file.tables) {
    if (family !== 'ip')
      yield diagnostic('verify/nat', at, `the table ${name} of ${what} has family ${family}, but Liqo's have ip`);
    for (const chain of chains) {
      const key = `${name} ${chain.name}`;
      if (left.has(key)) yield diagnostic('verify/nat', chain.at, `the chain ${key} of ${what} appears twice`);
      left.set(key, chain);
    }
  }
  for (const it of wanted) {
    const key = `${it.table} ${it.name}`;
    const chain = left.get(key);
    left.delete(key);
    if (chain) yield* compareChain(chain, it, what);
    else
      yield diagnostic(
        'verify/nat',
        file.tables.find((table) => table.name === it.table)?.at ?? start,
        `the chain ${key} of ${what} is missing`,
      );
  }
  for (const [key, chain] of left)
    yield diagnostic('verify/nat', chain.at, `the chain ${key} of ${what} is not one that Liqo creates`);
}

function* compareChain(chain: NftChain, wanted: WantedChain, what: string): Iterable<Diagnostic> {
  const declared = `type ${chain.type} hook ${chain.hook} priority ${chain.priority}; policy ${chain.policy};`;
  const declaration = `type nat hook ${wanted.hook} priority ${wanted.priority}; policy accept;`;
  if (declared !== declaration) {
    yield diagnostic(
      'verify/nat',
      chain.declaration,
      `the declaration of the chain ${chain.name} of ${what} differs from Liqo's: ${declaration}`,
    );
  }
  const found = chain.rules.map(rulePartsOf);
  const missing: (readonly string[])[] = [];
  const spare = new Set(found);
  const byText = groupBy(found, (it) => [it.text]);
  const used = new Map<string, number>();
  const placed: RuleParts[] = [];
  for (const { name, parts } of wanted.rules) {
    const text = rulePartsKey(parts);
    const count = used.get(text) ?? 0;
    const same = byText.get(text)?.[count];
    used.set(text, count + 1);
    if (same) {
      spare.delete(same);
      placed.push(same);
      yield* checkName(same.rule, name, what);
    } else {
      missing.push(parts);
    }
  }
  yield* checkOrder(placed, chain, what);
  for (const parts of missing) yield* changedOrMissing(chain, parts, spare, what);
  for (const rule of spare) yield extraRule(rule, byText.get(rule.text) ?? [], what);
}

function* checkName({ name, at }: NftRule, wanted: string, what: string): Iterable<Diagnostic> {
  if (name?.text === wanted) return;
  const is = name === null ? 'has no name' : `is called "${name.text}"`;
  yield diagnostic('verify/nat', name?.at ?? at, `this rule of ${what} ${is}, but must be called "${wanted}"`);
}

/** @param placed the rules of the views, in the order in which Liqo creates them. */
function* checkOrder(placed: readonly RuleParts[], chain: NftChain, what: string): Iterable<Diagnostic> {
  for (const [i, { rule }] of placed.entries()) {
    const before = placed[i - 1]?.rule;
    if (before === undefined || before.at.start < rule.at.start) continue;
    const message = `this rule of ${what} comes before another one, but the order of the chain ${chain.name} requires it behind`;
    const related = [{ message: 'the rule that must come before', span: before.at }];
    yield diagnostic('verify/nat', rule.at, message, { related });
    return;
  }
}

/** @param same the rules with these parts, in the order of the chain. */
function extraRule(rule: RuleParts, same: readonly RuleParts[], what: string): Diagnostic {
  const earlier = same.find((it) => it !== rule);
  const related = earlier && [{ message: 'the same rule', span: earlier.rule.at }];
  const message = earlier ? `this rule of ${what} appears twice` : `no view requires this rule of ${what}`;
  return diagnostic('verify/nat', rule.rule.at, message, { related });
}

/** Reports a missing rule. A similar rule is treated as this rule after an edit, and the place is its wrong part. */
function* changedOrMissing(
  chain: NftChain,
  wanted: readonly string[],
  spare: Set<RuleParts>,
  what: string,
): Iterable<Diagnostic> {
  const common = (it: RuleParts): number => wanted.filter((part) => it.parts.has(part)).length;
  const [nearest] = [...spare].sort((a, b) => common(b) - common(a));
  if (!nearest || common(nearest) < wanted.length / 2) {
    yield diagnostic('verify/nat', chain.at, `the chain ${chain.name} of ${what} has no rule \`${wanted.join(' ')}\``);
    return;
  }
  spare.delete(nearest);
  const should = wanted.filter((part) => !nearest.parts.has(part));
  const [wrong] = [...nearest.parts].filter(([part]) => !wanted.includes(part));
  const required = should.length === 0 ? 'which no view requires' : `but the views require \`${should.join(' ')}\``;
  yield diagnostic(
    'verify/nat',
    wrong?.[1] ?? nearest.rule.at,
    wrong
      ? `this rule of ${what} has \`${wrong[0]}\`, ${required}`
      : `this rule of ${what} is missing \`${should.join(' ')}\``,
  );
}

interface RuleParts {
  readonly rule: NftRule;
  readonly parts: ReadonlyMap<string, Span>;
  /** Key of the rule: equal for rules with the same parts in any order. */
  readonly text: string;
}

function rulePartsOf(rule: NftRule): RuleParts {
  const parts = [
    ...rule.matches.map((it) => [matchText(it), it.at] as const),
    [natText(rule.nat), rule.nat.at] as const,
  ];
  return { rule, parts: new Map(parts), text: rulePartsKey(parts.map(([part]) => part)) };
}

const rulePartsKey = (parts: readonly string[]): string => [...parts].sort(byCodeUnit).join(' ');

function matchText(match: NftMatch): string {
  const sign = match.negated ? '!= ' : '';
  if (match.key === 'saddr' || match.key === 'daddr') return `ip ${match.key} ${sign}${cidrText(match.value)}`;
  return `${match.key} ${sign}"${match.value}"`;
}

const natText = ({ kind, keepsHost, to }: NftNat): string =>
  keepsHost ? `${kind} prefix to ${cidrText(to)}` : `${kind} to ${addressText(to.base)}`;
