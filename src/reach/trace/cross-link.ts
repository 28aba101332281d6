import { bug } from '../../base/diagnostics/outcome.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import type { Chain, Match, NftRule, Ruleset } from '../../bundle/nftables/ruleset.ts';
import type { Boundaries } from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, ownEnd, type Peer, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { LinkEnd } from '../../fleet/model/network-model.ts';
import { type Address, isInside, known, moveTo, sameAddress } from './address.ts';
import {
  type AppliedRule,
  type Device,
  type Did,
  fenceOf,
  type LiveState,
  type Packet,
  type PacketHop,
  rulesetOf,
  type Transport,
} from './packet.ts';

/** Placeholder for a Geneve interface; the real names end in random letters. */
const GENEVE = 'liqo.geneve';

/** Placeholder for the interface between node and CNI, which no rule of a node matches. */
const CNI = 'cni';

/** A single address that a cluster maps to another address, known at compile time or not. */
export interface Mapping {
  readonly cluster: string;
  readonly external: Address;
  /** The address that it is mapped to, as the cluster itself sees it. */
  readonly real: number;
}

/** The first packet of a connection before and after a device translates it, as in connection tracking. */
export interface Tracked {
  readonly before: Packet;
  readonly after: Packet;
}

/** A packet's path from a node of one cluster into the gateway of another, over their tunnel. */
export interface Crossing {
  readonly here: AddressedCluster;
  readonly peer: Peer;
  readonly far: AddressedCluster;
  readonly farPeer: Peer;
  readonly node: Tracked;
  readonly gateway: Tracked;
  readonly farGateway: Tracked;
  /** True when the far gateway mapped a single address. */
  readonly mapped: boolean;
  /** True when the fence of the far gateway refused the packet. */
  readonly isRefused: boolean;
  /** True when the gateway has no route for the packet: only the networks of the peer lead into its tunnel. */
  readonly isLost: boolean;
  /** The devices with other rules than those that follow from the views, in the order of the path. */
  readonly unlike: readonly UnlikeRules[];
  readonly steps: readonly PacketHop[];
}

export interface UnlikeRules {
  readonly cluster: string;
  readonly peer: string;
  readonly device: Device;
}

/** Facts about a network that are not in its model. */
export interface KnownAtRunTime {
  readonly mappings: readonly Mapping[];
  /** `undefined` for a network that is not live. */
  readonly live?: LiveState | undefined;
  /** `undefined` for a network without boundaries. */
  readonly boundaries?: Boundaries | undefined;
  /** `null` when a packet of some protocol and to some port is meant. */
  readonly transport?: Transport | null;
}

/** Sends a packet through the tunnel to the peer that owns the destination, up to the peer's gateway. */
export function crossLink(
  here: AddressedCluster,
  peer: Peer,
  packet: Packet,
  { mappings, live, boundaries, transport = null }: KnownAtRunTime,
): Crossing {
  const far = peer.cluster;
  const farPeer = far.peers.get(here.name) ?? bug(`"${far.name}" has no peer "${here.name}"`);
  const steps: PacketHop[] = [];
  const add = (cluster: AddressedCluster, { source, destination }: Packet, did: Did) =>
    steps.push({ cluster: cluster.name, source, destination, did });

  const nat = (cluster: AddressedCluster, to: Peer, device: Device, before: Packet, hook: Hook) => {
    const other = live?.rules(cluster.name, to.name, device);
    const ruleset = other ?? rulesetOf(cluster, to, device);
    return translateAt({ cluster, peer: to, device, ruleset, isLive: other !== undefined }, before, hook);
  };
  const unlike = (
    [
      [here, peer, 'node'],
      [here, peer, 'gateway'],
      [far, farPeer, 'gateway'],
    ] as const
  ).flatMap(([cluster, to, device]): readonly UnlikeRules[] =>
    live?.rules(cluster.name, to.name, device) ? [{ cluster: cluster.name, peer: to.name, device }] : [],
  );

  const kept = nat(here, peer, 'node', packet, ['postrouting', CNI, GENEVE]);
  // Rules that follow from views match every packet to the peer. The CNI masquerades a packet that no rule matches.
  const left = kept.rule ? kept : { ...kept, packet: { ...packet, source: { kind: 'node' } as const } };
  add(here, left.packet, { kind: 'left-node', peer: peer.name, rule: left.rule });
  add(here, left.packet, { kind: 'overlay', to: 'gateway', peer: peer.name, route: nodeToGateway(peer.name) });

  const restored = nat(here, peer, 'gateway', left.packet, ['prerouting', GENEVE, null]);
  add(here, restored.packet, { kind: 'prerouting', peer: peer.name, rule: restored.rule });
  const out = nat(here, peer, 'gateway', restored.packet, ['postrouting', GENEVE, TUNNEL_INTERFACE]);
  if (out.rule) add(here, out.packet, { kind: 'postrouting', peer: peer.name, rule: out.rule });
  const isLost = !viewsOf(peer).some((it) => isInside(it.cidr, out.packet.destination));
  const done = {
    ...{ here, peer, far, farPeer, isLost, unlike, isRefused: false },
    node: { before: packet, after: left.packet },
    gateway: { before: left.packet, after: out.packet },
  };
  if (isLost) return { ...done, farGateway: { before: out.packet, after: out.packet }, mapped: false, steps };
  add(far, out.packet, { kind: 'tunnel', link: peer.link, to: far.name, route: intoTunnel(ownEnd(peer)) });

  const fence = boundaries ? fenceOf(boundaries, far, farPeer) : null;
  const place: Hook = ['prerouting', TUNNEL_INTERFACE, null];
  // A rule of the fence ends the translation of the destination: Liqo's own chains are skipped.
  const itsRules = { cluster: far, peer: farPeer, device: 'gateway', isLive: false } as const;
  const fenced = fence && translateAt({ ...itsRules, ruleset: fence }, out.packet, place, transport);
  const entered = fenced?.rule ? fenced : nat(far, farPeer, 'gateway', out.packet, place);
  if (entered.rule) add(far, entered.packet, { kind: 'prerouting', peer: here.name, rule: entered.rule });
  if (fenced?.rule?.rule.kind === 'dnat-address') {
    const ended = { before: out.packet, after: out.packet };
    return { ...done, farGateway: ended, mapped: false, isRefused: true, steps };
  }
  const mapping = mappings.find(
    (it) => it.cluster === far.name && sameAddress(it.external, entered.packet.destination),
  );
  const mapped = mapping ? { ...entered.packet, destination: known(mapping.real) } : entered.packet;
  if (mapping) add(far, mapped, { kind: 'mapped', peer: here.name });
  const arrived = nat(far, farPeer, 'gateway', mapped, ['postrouting', TUNNEL_INTERFACE, GENEVE]);
  add(far, arrived.packet, { kind: 'postrouting', peer: here.name, rule: arrived.rule });
  const farGateway = { before: out.packet, after: arrived.packet };
  return { ...done, farGateway, mapped: mapping !== undefined, steps };
}

type Hook = readonly [hook: Chain['hook'], iifname: string, oifname: string | null];

interface DeviceRules {
  readonly cluster: AddressedCluster;
  readonly peer: Peer;
  readonly device: Device;
  readonly ruleset: Ruleset;
  /** True for the rules that a live device has instead of those that follow from the views. */
  readonly isLive: boolean;
}

function translateAt(
  { cluster, peer, device, ruleset, isLive }: DeviceRules,
  packet: Packet,
  [hook, iifname, oifname]: Hook,
  transport: Transport | null = null,
): { readonly packet: Packet; readonly rule: AppliedRule | null } {
  const done: Translated = applyRuleset(ruleset, packet, { hook, iifname, oifname, transport });
  const place = { cluster: cluster.name, peer: peer.name, device, isLive };
  return { packet: done.packet, rule: done.by && { ...place, ...done.by } };
}

// Names of the RouteConfigurations that route the packet; `<node>` is the name of a node.
// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/{external-network/route,internal-network/route}.

export const nodeToGateway = (peer: string): string => `${peer}-node-gw`;

/** The route in the gateway at this end. */
export const intoTunnel = ({ names }: LinkEnd): string => `${names.configuration}-gw-ext`;

export const GATEWAY_TO_POD = '<node>-gw-node';

/** The route for addresses of other clusters, which the gateway routes to any node. */
export const GATEWAY_TO_TRANSIT = '<node>-extcidr';

/** The route for answers to the unknown source, which leads to the node that opened the connection. */
export const GATEWAY_TO_SENDER = '<node>-service-nodeport-routing';

/** A hook of network address translation that a packet passes, and the packet's interfaces there. */
interface HookPoint {
  readonly hook: Chain['hook'];
  readonly iifname: string;
  /** The interface by which the packet leaves; `null` before the packet is routed. */
  readonly oifname: string | null;
  readonly transport: Transport | null;
}

interface Translated {
  readonly packet: Packet;
  /** The rule that was applied; `null` when no rule matches. */
  readonly by: { readonly table: string; readonly chain: string; readonly rule: NftRule } | null;
}

/**
 * Translates the first packet of a connection at one hook. Chains run in order of priority; the first matching rule
 * ends the translation, even when it leaves the address unchanged.
 */
function applyRuleset(ruleset: Ruleset, packet: Packet, at: HookPoint): Translated {
  for (const { table, chain } of chainsAt(ruleset, at.hook)) {
    const rule = chain.rules.find((it) => matches(it.match, packet, at));
    if (rule) return { packet: translate(rule, packet), by: { table, chain: chain.name, rule } };
  }
  return { packet, by: null };
}

// A loop instead of array methods, because every step of every walk calls this function.
function chainsAt({ tables }: Ruleset, hook: Chain['hook']) {
  const found: { readonly table: string; readonly chain: Chain }[] = [];
  for (const { name, chains } of tables) {
    for (const chain of chains) if (chain.hook === hook) found.push({ table: name, chain });
  }
  return found.sort((a, b) => a.chain.priority - b.chain.priority);
}

function matches(match: Match, { source, destination }: Packet, at: HookPoint): boolean {
  const { iifname, oifname, transport } = at;
  return (
    (match.oifname === null || match.oifname === oifname) &&
    !match.oifnameNot.some((it) => it === oifname) &&
    (match.iifname === null || match.iifname === iifname) &&
    !match.iifnameNot.includes(iifname) &&
    (match.daddr === null || isInside(match.daddr, destination)) &&
    (match.saddr === null || isInside(match.saddr, source)) &&
    !match.saddrNot.some((it) => isInside(it, source)) &&
    !match.daddrNot.some((it) => isInside(it, destination)) &&
    matchesTransport(match, transport)
  );
}

/** True also for what the request leaves open: then some packet matches. */
function matchesTransport({ protocol, dport }: Match, transport: Transport | null): boolean {
  const { protocol: own = null, port = null } = transport ?? {};
  if (protocol !== null && own !== null && protocol !== own) return false;
  return dport === null || port === null || (dport.first <= port && port <= dport.last);
}

function translate(rule: NftRule, packet: Packet): Packet {
  switch (rule.kind) {
    case 'dnat-prefix':
      return { ...packet, destination: moveTo(rule.to, packet.destination) };
    case 'dnat-address':
      return { ...packet, destination: known(rule.to) };
    case 'snat-prefix':
      return { ...packet, source: moveTo(rule.to, packet.source) };
    case 'snat-address':
      return { ...packet, source: known(rule.to) };
  }
}
