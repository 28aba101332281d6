import type { Chain, Match, NftRule, Ruleset } from '../../bundle/nftables/ruleset.ts';
import { isInside, known, moveTo } from './address.ts';
import type { Packet } from './packet.ts';

/** A hook of network address translation that a packet passes, with its interfaces. */
interface HookPoint {
  readonly hook: Chain['hook'];
  readonly iifname: string;
  /** The interface that the packet leaves by; `null` before it is routed. */
  readonly oifname: string | null;
}

export interface Translated {
  readonly packet: Packet;
  /** The rule that was applied; `null` when none matches. */
  readonly by: { readonly table: string; readonly chain: string; readonly rule: NftRule } | null;
}

/**
 * Translates the first packet of a connection at one hook. Chains run in order of priority; the first matching rule
 * ends the translation, even when it leaves the address unchanged.
 */
export function applyRuleset(ruleset: Ruleset, packet: Packet, at: HookPoint): Translated {
  for (const { table, chain } of chainsAt(ruleset, at.hook)) {
    const rule = chain.rules.find((it) => matches(it.match, packet, at));
    if (rule) return { packet: translate(rule, packet), by: { table, chain: chain.name, rule } };
  }
  return { packet, by: null };
}

// A loop, because every step of every walk comes here.
function chainsAt({ tables }: Ruleset, hook: Chain['hook']) {
  const found: { readonly table: string; readonly chain: Chain }[] = [];
  for (const { name, chains } of tables) {
    for (const chain of chains) if (chain.hook === hook) found.push({ table: name, chain });
  }
  return found.sort((a, b) => a.chain.priority - b.chain.priority);
}

function matches(match: Match, { source, destination }: Packet, { iifname, oifname }: HookPoint): boolean {
  return (
    (match.oifname === null || match.oifname === oifname) &&
    !match.oifnameNot.some((it) => it === oifname) &&
    (match.iifname === null || match.iifname === iifname) &&
    !match.iifnameNot.includes(iifname) &&
    (match.daddr === null || isInside(match.daddr, destination)) &&
    (match.saddr === null || isInside(match.saddr, source)) &&
    !match.saddrNot.some((it) => isInside(it, source))
  );
}

function translate(rule: NftRule, packet: Packet): Packet {
  switch (rule.kind) {
    case 'dnat-prefix':
      return { ...packet, destination: moveTo(rule.to, packet.destination) };
    case 'snat-prefix':
      return { ...packet, source: moveTo(rule.to, packet.source) };
    case 'snat-address':
      return { ...packet, source: known(rule.to) };
  }
}
