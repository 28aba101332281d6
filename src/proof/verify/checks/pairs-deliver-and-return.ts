import { groupBy } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import {
  containsAddress,
  lastAddress,
  maskOf,
  moveHost,
  overlaps,
  type Prefix,
  samePrefix,
} from '../../../base/net/prefix.ts';
import { readPrintedPrefix } from '../../../base/net/text.ts';
import { translatesSourcesWrongly } from '../../../base/releases/release.ts';
import type { Span } from '../../../base/source/source.ts';
import { masqueradesEverything } from '../expectation.ts';
import type { FoundText } from '../kube-object.ts';
import { addressText, hostOf } from '../networks.ts';
import type { NftChain, NftFile, NftMatch, NftRule } from '../parse-nft.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { forEachEnd } from './bundle-check.ts';

/**
 * A packet from each cluster to each of its peers arrives, and its answer reaches the sender: computed with the rules
 * in the files, for every address of every view.
 * Source: liqotech/liqo@v1.2.0, the walk of one packet through two clusters.
 */
export const pairsDeliverAndReturn = forEachEnd(function* (context, cluster, peer) {
  const remote = context.network.get(peer.name);
  const back = remote?.peers.get(cluster.name);
  const [here, there, nodes] = [peer.gatewayRules, back?.gatewayRules, peer.nodeRules];
  if (!remote || !back || !here || !there || !nodes) return;
  const files = { here: translating(here), there: translating(there), nodes: translating(nodes) };
  const walk: Walk = { cluster, peer, remote, back, files };
  for (const pair of viewPairsOf(peer, remote)) yield* arrives(walk, pair);
  // With the rules of 1.0.0 an answer may get lost; another check proves that the files contain these rules.
  if (translatesSourcesWrongly(remote.expected.declared.release)) return;
  for (const pair of viewPairsOf(back, cluster)) yield* returns(walk, pair);
});

/** A packet's path from `cluster` to `remote`. */
interface Walk {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly remote: RebuiltCluster;
  /** `cluster` as a peer of `remote`. */
  readonly back: RebuiltPeer;
  readonly files: { readonly here: TranslatingFile; readonly there: TranslatingFile; readonly nodes: TranslatingFile };
}

/** A file of rules with the chains that translate, by hook: it is asked for each address of each network. */
interface TranslatingFile extends NftFile {
  readonly chainsByHook: ReadonlyMap<string, readonly NftChain[]>;
}

function translating({ source, tables }: NftFile): TranslatingFile {
  const chains = tables
    .filter((it) => it.family === 'ip')
    .flatMap((it) => it.chains.filter((one) => one.type === 'nat'));
  const inOrder = chains.sort((a, b) => a.priority - b.priority);
  return { source, tables, chainsByHook: groupBy(inOrder, (it) => [it.hook]) };
}

/** The view that a cluster has of one network of a peer, and the network itself. */
interface WalkedPair {
  readonly kind: 'pod' | 'external';
  readonly view: Prefix;
  readonly real: Prefix;
  readonly at: Span;
}

function viewPairsOf(viewer: RebuiltPeer, owner: RebuiltCluster): readonly WalkedPair[] {
  return viewer.views.flatMap(({ kind, index, seenAs }) => {
    const own = owner.announces[kind][index];
    const [view, real] = [readPrintedPrefix(seenAs.text ?? ''), readPrintedPrefix(own?.text ?? '')];
    return view === undefined || real === undefined ? [] : [{ kind, view, real, at: seenAs.at }];
  });
}

// Interfaces on the way: any of a node's overlay, and the tunnel. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel.
const OVERLAY = 'liqo.overlay';
const TUNNEL = 'liqo-tunnel';

/** Checks the destination: the view's address is translated to the receiver's own address, with the same host bits. */
function* arrives({ cluster, peer, remote, files }: Walk, { kind, view, real, at }: WalkedPair): Iterable<Diagnostic> {
  const source = firstOf(cluster.announces.pod[0]);
  if (source === undefined) return;
  const names = `"${cluster.name}" to "${peer.name}"`;
  if (view.length !== real.length) {
    yield diagnostic(
      'verify/delivery',
      at,
      `packets from ${names} cannot keep their host bits: the view has length ${view.length}, but the network has ${real.length}`,
    );
    return;
  }
  for (const destination of representativeAddresses(view, files.here)) {
    const packet: Packet = { source, destination, iifname: OVERLAY, oifname: TUNNEL };
    const wanted = (real.base + hostOf(destination, view)) >>> 0;
    const out = translatePacket(files.here, 'prerouting', packet);
    const sent = translatePacket(files.here, 'postrouting', out.packet);
    const got = translatePacket(files.there, 'prerouting', { ...sent.packet, iifname: TUNNEL, oifname: OVERLAY });
    const end = got.packet.destination;
    if (end === wanted && sent.packet.source === source) continue;
    const applied = got.rule ?? sent.rule ?? out.rule;
    const place = applied?.nat.at ?? placeWithoutRule(files.here, 'outgoing', { kind, to: real, otherwise: at });
    const is =
      end === wanted ? `leaves with source ${addressText(sent.packet.source)}` : `arrives at ${addressText(end)}`;
    const should = end === wanted ? addressText(source) : `${addressText(wanted)} in "${remote.name}"`;
    yield diagnostic(
      'verify/delivery',
      place,
      `a packet from ${names} for ${addressText(destination)} ${is} instead of ${should}`,
      {
        related: [{ message: 'the view', span: at }],
      },
    );
    return;
  }
  yield* leavesNode({ cluster, peer, files }, { kind, view, source, at });
}

/**
 * Checks the rules of a node: it keeps the source of a pod, unless it masquerades everything, and translates any other
 * source to the unknown source, which the peer can answer.
 */
function* leavesNode(
  { cluster, peer, files }: Pick<Walk, 'cluster' | 'peer' | 'files'>,
  { kind, view, source, at }: Omit<WalkedPair, 'real'> & { readonly source: number },
): Iterable<Diagnostic> {
  const unknown = firstOf(cluster.announces.external[0]);
  const pods = cluster.announces.pod.flatMap((it) => readPrintedPrefix(it.text ?? '') ?? []);
  const noPod = pods.some((it) => containsAddress(it, NO_POD)) ? OTHER_NO_POD : NO_POD;
  for (const [from, wanted] of [
    [source, masqueradesEverything(cluster.expected.declared) ? unknown : source],
    [noPod, unknown],
  ] as const) {
    if (wanted === undefined) continue;
    const packet: Packet = { source: from, destination: view.base, iifname: '', oifname: '' };
    const { packet: left, rule } = translatePacket(files.nodes, 'postrouting', packet);
    if (left.source === wanted) continue;
    const sender = from === source ? 'a pod' : 'a node';
    const message = `a packet of ${sender} in "${cluster.name}" for "${peer.name}" leaves with source ${addressText(left.source)} instead of ${addressText(wanted)}`;
    yield diagnostic(
      'verify/delivery',
      rule?.nat.at ?? placeWithoutRule(files.nodes, 'pre-postrouting', { kind, to: view, otherwise: at }),
      message,
    );
  }
}

/** Documentation addresses, which no cluster uses for pods or nodes. Source: RFC 5737. */
const NO_POD = 0xc0000201; // 192.0.2.1
const OTHER_NO_POD = 0xc6336401; // 198.51.100.1

/**
 * Checks the source: the sender's address is translated to the receiver's view, and an answer to it reaches the sender.
 */
function* returns({ cluster, remote, files }: Walk, { kind, view, real, at }: WalkedPair): Iterable<Diagnostic> {
  const target = firstOf(remote.announces.pod[0]);
  if (target === undefined || view.length !== real.length) return;
  for (const source of representativeAddresses(real, files.there)) {
    const packet: Packet = { source, destination: target, iifname: TUNNEL, oifname: OVERLAY };
    const seen = translatePacket(files.there, 'postrouting', packet);
    const answer: Packet = { source: target, destination: seen.packet.source, iifname: OVERLAY, oifname: TUNNEL };
    const back = translatePacket(files.there, 'prerouting', answer);
    const wanted = (view.base + hostOf(source, real)) >>> 0;
    if (seen.packet.source === wanted && back.packet.destination === source) continue;
    const wrongSource = seen.packet.source !== wanted;
    const place = wrongSource
      ? (seen.rule?.nat.at ?? placeWithoutRule(files.there, 'incoming', { kind, to: view, otherwise: at }))
      : (back.rule?.nat.at ?? placeWithoutRule(files.there, 'outgoing', { kind, to: real, otherwise: at }));
    const message = wrongSource
      ? `a packet of ${addressText(source)} in "${cluster.name}" is seen in "${remote.name}" as ${addressText(seen.packet.source)} instead of ${addressText(wanted)}`
      : `an answer from "${remote.name}" to ${addressText(wanted)} is sent to ${addressText(back.packet.destination)} instead of ${addressText(source)} in "${cluster.name}"`;
    yield diagnostic('verify/delivery', place, message, {
      related: [{ message: 'the view', span: at }],
    });
    return;
  }
}

/** The place of an error without a matching rule: the rule with the right target, otherwise the chain that lacks it. */
function placeWithoutRule(
  file: NftFile,
  chain: 'outgoing' | 'incoming' | 'pre-postrouting',
  { kind, to, otherwise }: { readonly kind: WalkedPair['kind']; readonly to: Prefix; readonly otherwise: Span },
): Span {
  const chains = file.tables.flatMap((table) =>
    chain === 'pre-postrouting' || table.name === `remap-${kind}cidr` ? table.chains : [],
  );
  const named = chains.find((it) => it.name === chain);
  return named?.rules.find((it) => samePrefix(it.nat.to, to))?.nat.at ?? named?.at ?? otherwise;
}

const firstOf = (found: FoundText | undefined): number | undefined => readPrintedPrefix(found?.text ?? '')?.base;

/** The fields of a packet that rules match. Interfaces are empty where they do not matter. */
interface Packet {
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
function translatePacket(
  { chainsByHook }: TranslatingFile,
  hook: 'prerouting' | 'postrouting',
  packet: Packet,
): Translation {
  const kind = hook === 'prerouting' ? 'dnat' : 'snat';
  for (const chain of chainsByHook.get(hook) ?? []) {
    const rule = chain.rules.find(
      (it) => it.nat.kind === kind && it.matches.every((match) => matchesPacket(match, packet)),
    );
    if (rule) return { packet: translated(packet, rule), rule };
  }
  return { packet, rule: null };
}

function translated(packet: Packet, { nat }: NftRule): Packet {
  const move = (address: number): number => (nat.keepsHost ? moveHost(address, nat.to) : nat.to.base);
  return nat.kind === 'dnat'
    ? { ...packet, destination: move(packet.destination) }
    : { ...packet, source: move(packet.source) };
}

function matchesPacket(match: NftMatch, packet: Packet): boolean {
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
function representativeAddresses(network: Prefix, file: NftFile): readonly number[] {
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
