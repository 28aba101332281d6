import { containsAddress, lastAddress, maskOf, moveHost, overlaps, type Prefix } from '../../base/net/prefix.ts';
import type { NftChain, NftFile, NftMatch, NftRule } from './parse-nft.ts';

/** The fields of a packet that rules match. Interfaces are empty where they do not matter. */
export interface Packet {
  readonly source: number;
  readonly destination: number;
  readonly iifname: string;
  readonly oifname: string;
}

interface Translation {
  readonly packet: Packet;
  /** The rule that was applied; `null` when the packet passed unchanged. */
  readonly rule: NftRule | null;
}

/**
 * Translates a packet at a hook as the kernel does: chains by priority, in a chain the first rule that matches, and at
 * most one translation per hook.
 */
export function translatePacket(file: NftFile, hook: 'prerouting' | 'postrouting', packet: Packet): Translation {
  const kind = hook === 'prerouting' ? 'dnat' : 'snat';
  for (const chain of chainsAt(file, hook)) {
    const rule = chain.rules.find((it) => it.nat.kind === kind && it.matches.every((match) => fits(match, packet)));
    if (rule) return { packet: translated(packet, rule), rule };
  }
  return { packet, rule: null };
}

/** By file and hook: a file is asked for each address of each network. */
const CHAINS = new WeakMap<NftFile, Map<string, readonly NftChain[]>>();

function chainsAt(file: NftFile, hook: string): readonly NftChain[] {
  const byHook = CHAINS.get(file) ?? new Map<string, readonly NftChain[]>();
  CHAINS.set(file, byHook);
  const chains = byHook.get(hook) ?? chainsIn(file, hook);
  byHook.set(hook, chains);
  return chains;
}

const chainsIn = (file: NftFile, hook: string): readonly NftChain[] =>
  file.tables
    .filter((it) => it.family === 'ip')
    .flatMap((it) => it.chains)
    .filter((it) => it.type === 'nat' && it.hook === hook)
    .sort((a, b) => a.priority - b.priority);

function translated(packet: Packet, { nat }: NftRule): Packet {
  const move = (address: number): number => (nat.keepsHost ? moveHost(address, nat.to) : nat.to.base);
  return nat.kind === 'dnat'
    ? { ...packet, destination: move(packet.destination) }
    : { ...packet, source: move(packet.source) };
}

function fits(match: NftMatch, packet: Packet): boolean {
  switch (match.key) {
    case 'saddr':
      return containsAddress(match.value, packet.source) !== match.negated;
    case 'daddr':
      return containsAddress(match.value, packet.destination) !== match.negated;
    case 'iifname':
      return (packet.iifname === match.value) !== match.negated;
    case 'oifname':
      return (packet.oifname === match.value) !== match.negated;
  }
}

/**
 * Addresses of a network that represent all others. The result of the rules can change only where a network in a rule
 * begins or ends, so both sides of every such edge are enough.
 */
export function representativeAddresses(network: Prefix, file: NftFile): readonly number[] {
  const found = new Set([network.base, lastAddress(network), middleOf(network)]);
  for (const match of file.tables.flatMap((it) =>
    it.chains.flatMap((chain) => chain.rules.flatMap((rule) => rule.matches)),
  )) {
    if (match.key !== 'saddr' && match.key !== 'daddr') continue;
    if (!overlaps(match.value, network)) continue;
    for (const edge of [match.value.base, lastAddress(match.value)]) {
      for (const address of [edge - 1, edge, edge + 1]) if (containsAddress(network, address)) found.add(address);
    }
  }
  return [...found].sort((a, b) => a - b);
}

const middleOf = ({ base, length }: Prefix): number => (base + ((~maskOf(length) >>> 0) >>> 1)) >>> 0;
