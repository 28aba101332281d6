import type { Chain, Match, NftRule, Ruleset } from '../nftables/ruleset.ts';
import { isInside, known, moveTo } from './address.ts';
import type { Packet } from './packet.ts';

/** Where a packet passes through network address translation, and by which interfaces. */
export interface HookPoint {
  readonly hook: Chain['hook'];
  readonly iifname: string;
  /** What the packet leaves by; before it is routed nobody knows. */
  readonly oifname: string | null;
}

export interface Translated {
  readonly packet: Packet;
  /** The rule that decided; `null` when none fits. */
  readonly by: { readonly table: string; readonly chain: string; readonly rule: NftRule } | null;
}

/**
 * The first packet of a connection at one hook. Chains run in order of priority; a rule that translates ends it, also
 * when it gives the packet the address it has.
 */
export function applyRuleset(ruleset: Ruleset, packet: Packet, at: HookPoint): Translated {
  const chains = ruleset.tables
    .flatMap((table) => table.chains.map((chain) => ({ table: table.name, chain })))
    .filter((it) => it.chain.hook === at.hook)
    .sort((a, b) => a.chain.priority - b.chain.priority);
  for (const { table, chain } of chains) {
    const rule = chain.rules.find((it) => fits(it.match, packet, at));
    if (rule) return { packet: translate(rule, packet), by: { table, chain: chain.name, rule } };
  }
  return { packet, by: null };
}

function fits(match: Match, { source, destination }: Packet, { iifname, oifname }: HookPoint): boolean {
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
