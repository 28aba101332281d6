import { addAll, by } from '../../base/core/collections.ts';
import { COLLECT_KEYS, makeKeys } from '../../base/core/key-pair.ts';
import { quotedNames } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, inSourceOrder, type Related } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Assertion, type Selector, selectClusters } from '../../fleet/model/network-model.ts';
import { type Paths, pathsOf } from '../../fleet/model/paths.ts';
import { directPathText, type FateKind, idleText, loanText } from './fates.ts';
import type { TracedNetwork } from './packet.ts';
import { type PairFate, type PairFates, pairFatesOf } from './pair-fates.ts';

/**
 * Checks every assertion of the topology by tracing packets. A broken assertion is an error with its place.
 *
 * @param mayBeLost the fleet was compiled before, and there is no keys file
 */
export function decideAssertions<T extends TracedNetwork>(
  model: T,
  assertions: readonly Assertion[],
  mayBeLost = false,
): Outcome<T> {
  const required = assertions.filter(isAboutAllParts);
  if (required.length === 0) return outcome(model);
  const [any, paths] = [pairFatesOf(model), pathsOf(model.links)];
  const decided = required.flatMap((it) => {
    const pairFates = it.flow === undefined ? any : pairFatesOf(model, undefined, it.flow);
    return decideAssertion(model, { pairFates, paths, mayBeLost }, it);
  });
  return outcome(model, inSourceOrder(decided));
}

/** False for what must be unreachable when a part fails, which may be reachable otherwise. */
export const isAboutAllParts = ({ expect, without }: Pick<Assertion, 'expect' | 'without'>): boolean =>
  without === null || expect === 'reachable';

function decideAssertion(
  model: TracedNetwork,
  network: { readonly pairFates: PairFates; readonly paths: Paths; readonly mayBeLost: boolean },
  assertion: Assertion,
): readonly Diagnostic[] {
  const from = selectClusters(model.clusters, assertion.from);
  const to = selectClusters(model.clusters, assertion.to);
  const empty = [...(from.length === 0 ? [assertion.from] : []), ...(to.length === 0 ? [assertion.to] : [])];
  if (empty.length > 0) return empty.map(selectsNothing);
  const [only] = from;
  if (from.length === 1 && to.length === 1 && only === to[0]) return [joinsNothing(assertion, only?.name ?? '')];
  const broken = brokenPairs(network, { assertion, from, to });
  const [first, ...others] = broken;
  if (!first) return [];
  const { from: sender, to: receiver } = first;
  const any = network.pairFates.between(sender, receiver);
  const through = network.pairFates.between(sender, receiver, 'hub');
  const { mayBeLost } = network;
  return [brokenAssertion(assertion, { ...first, any, through, others: others.length, mayBeLost })];
}

function selectsNothing(selector: Selector): Diagnostic {
  const labels =
    selector.kind === 'labels' ? Object.entries(selector.labels).map(([key, value]) => `${key}: ${value}`) : [];
  const what = labels.length === 0 ? 'is a cluster that is not retired' : `has the labels ${labels.join(', ')}`;
  return diagnostic('assertion/matches-nothing', selector.at, `no cluster ${what}`, {
    hint: 'correct the labels, or remove the assertion',
  });
}

const joinsNothing = ({ at }: Assertion, name: string): Diagnostic =>
  diagnostic('assertion/matches-nothing', at, `the assertion selects only "${name}", and it needs two clusters`, {
    hint: 'name two different clusters',
  });

interface FoundPair extends BrokenPair {
  /** The fate by any kind of path, also when the assertion allows only one kind. */
  readonly any: PairFate;
  /** The fate through a cluster between the two. */
  readonly through: PairFate;
  /** Number of other pairs that break the assertion. */
  readonly others: number;
  readonly mayBeLost: boolean;
}

/**
 * The error about an assertion that does not hold: one pair that breaks it, with both its ends, and the number of other
 * pairs.
 */
function brokenAssertion(assertion: Assertion, pair: FoundPair): Diagnostic {
  const { from, to, others } = pair;
  return diagnostic('assertion/broken', assertion.at, `${brokenMessage(assertion, pair)}${andOthers(others)}`, {
    hint: `${changeOf(assertion, pair)}, or correct the assertion`,
    related: [
      { message: `"${from.name}" sends`, span: from.at },
      { message: `"${to.name}" receives`, span: to.at },
      ...relatedLink(pair.any, [from, to]),
    ],
  });
}

function andOthers(count: number): string {
  if (count === 0) return '';
  if (count >= MOST_PAIRS - 1) return '; other pairs break it, too';
  return count === 1 ? '; 1 other pair breaks it, too' : `; ${count} other pairs break it, too`;
}

function brokenMessage({ expect, via, by: refusing }: Assertion, { from, to, found, any }: FoundPair): string {
  const ends = { from: `"${from.name}"`, to: `"${to.name}"` };
  if (expect === 'unreachable') {
    const other = refusing === 'policy' ? 'policy' : 'fence';
    if (found.fate !== 'delivered' && NOTHING_PASSES.has(found.fate) && !isRefused(found.fate))
      return `no ${other} refuses packets from ${ends.from} to ${ends.to}: ${REASON_TEXTS[found.fate]}`;
    if (isRefused(found.fate))
      return `only a ${found.fate === 'refused' ? 'fence' : 'policy'} refuses packets from ${ends.from} to ${ends.to} ${wayText(found)}`;
    if (found.fate === 'delivered') return `${ends.from} reaches ${ends.to} ${wayText(found)}`;
    const pass = `packets from ${ends.from} to ${ends.to} pass ${wayText(found)}`;
    return found.fate === 'needs-offloading'
      ? `${pass} as soon as it offloads pods there`
      : `${pass}, although ${REASON_TEXTS[found.fate]}`;
  }
  if (any.fate !== 'delivered') {
    const reason = any.keyless ? idleText(any.keyless) : REASON_TEXTS[any.fate];
    return `${ends.from} does not reach ${ends.to}: ${reason}`;
  }
  return `${ends.from} reaches ${ends.to} ${wayText(any)}, not ${WAY_TEXTS[via ?? 'shortcut']}`;
}

const WAY_TEXTS = { shortcut: 'by a link of the two', hub: 'through a cluster between them' } as const;

/** The reason for each fate, as a part of a sentence. */
export const REASON_TEXTS: Readonly<Record<Exclude<PairFate['fate'], 'delivered'>, string>> = {
  self: 'they are one cluster',
  'no-route': 'they have no link, and no cluster has links to both',
  'no-keys': 'a gateway between them has no public key',
  'tunnel-down': 'a tunnel between them is down',
  'no-return': 'no answer can reach the sender',
  'not-a-pod-address': 'there is no pod',
  ambiguous: 'an address has two meanings on the way',
  'needs-run-time-address': 'the address is assigned at run time',
  'needs-offloading': 'the hub between them borrows nothing from the receiver, so it maps none of its pods',
  refused: 'a fence lets nothing in from one to the other',
  'refused-by-policy': 'the policy of a namespace lets nothing in from one to the other',
  retired: 'one of them is retired',
};

function wayText({ way }: PairFate): string {
  switch (way.kind) {
    case 'direct':
      return { hub: 'by their hub link', peering: 'by their peering', shortcut: 'by their shortcut' }[way.link.kind];
    case 'through':
      return `through "${way.hub}"`;
    case 'none':
      return 'somehow';
  }
}

function changeOf(
  { expect, via, by: refusing, flow }: Assertion,
  { from, to, found, through, mayBeLost }: FoundPair,
): string {
  if (expect === 'unreachable' && (refusing === 'fence' || refusing === 'policy')) {
    if (found.fate !== 'delivered') return 'remove `by`';
    if (refusing === 'policy' && flow?.fromNamespace == null && flow?.toNamespace == null)
      return 'add `toNamespace` or `fromNamespace`, whose policy is meant';
    return `set \`boundary: closed\` on "${to.name}", and open less`;
  }
  if (expect === 'unreachable') return cutOf(found, via === null ? through : found);
  if (found.fate === 'retired') return `remove \`retired\` from "${from.retired ? from.name : to.name}"`;
  if (isRefused(found.fate)) {
    const [own, others] = [flow?.fromNamespace ?? null, flow?.toNamespace ?? null];
    const ends = `from: ${from.name}${own === null ? '' : `, fromNamespace: ${own}`}, to: ${to.name}${others === null ? '' : `, toNamespace: ${others}`}`;
    return `add \`{ ${ends} }\` with its ports to \`boundaries\``;
  }
  if (found.fate === 'no-keys') return found.keyless?.keySource === 'liqo' ? COLLECT_KEYS : makeKeys('', mayBeLost);
  // These two have a path, so they do not lack a link.
  if (found.fate === 'no-return') return 'upgrade Liqo in the clusters of this path that run 1.0.0';
  if (found.fate === 'ambiguous') return 'choose networks inside the pools of the clusters, so that none is used twice';
  if (found.fate === 'needs-offloading' && found.way.kind === 'through')
    return `add ${[loanText(found.way.hub, to.name), ...(via === null ? directPathText(from, to) : [])].join(', or ')}`;
  if (via === 'hub') return 'link both to one cluster';
  return via === 'shortcut'
    ? 'add the pair to `peerings` or `shortcuts`'
    : 'add the pair to `peerings`, or link both to one cluster';
}

/** The links to remove: every path must be cut, the link of the two and those through other clusters. */
function cutOf({ way: found }: PairFate, { way: through }: PairFate): string {
  if (through.kind !== 'through') return 'remove the link';
  const [one, ...others] = through.hubs;
  const owner = others.length === 0 ? `"${one}"` : `each of ${quotedNames(through.hubs)}`;
  const own = found.kind === 'direct' ? 'the link, and ' : '';
  return `remove ${own}the link of ${owner} to one of the two (by another hub, \`hub: []\`, or in \`peerings\`)`;
}

/** The place where the link is declared, when it is not one of the ends itself. */
function relatedLink({ way }: PairFate, ends: readonly AddressedCluster[]): readonly Related[] {
  if (way.kind !== 'direct' || ends.some((it) => it.at === way.link.at)) return [];
  return [{ message: 'the link', span: way.link.at }];
}

/** The search ends after this many pairs; the message contains the first pair and the number of the others. */
const MOST_PAIRS = 5;

interface Asserted {
  readonly assertion: Assertion;
  /** In order of name. */
  readonly from: readonly AddressedCluster[];
  /** In order of name. */
  readonly to: readonly AddressedCluster[];
}

interface BrokenPair {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  readonly found: PairFate;
}

/**
 * The first pairs that break an assertion, in order of name; empty when it holds. A fleet has far more pairs than
 * links, so pairs without a link are decided in groups: clusters with equal peers reach the same receivers through
 * another cluster.
 */
function brokenPairs(
  { pairFates, paths }: { readonly pairFates: PairFates; readonly paths: Paths },
  asserted: Asserted,
): readonly BrokenPair[] {
  const { assertion, from, to } = asserted;
  const suspects = suspectsOf(pairFates, paths, asserted);
  const broken: BrokenPair[] = [];
  const receivers = new Set(to);
  for (const sender of from) {
    const ofSender: BrokenPair[] = [];
    for (const receiver of linkedAmong(sender, to, receivers)) {
      const found = pairFates.between(sender, receiver, assertion.via);
      if (isBroken(assertion, found)) ofSender.push({ from: sender, to: receiver, found });
    }
    let left = MOST_PAIRS;
    for (const receiver of suspects(sender)) {
      if (left === 0) break;
      if (receiver === sender || sender.peers.has(receiver.name)) continue;
      const found = pairFates.between(sender, receiver, assertion.via);
      if (!isBroken(assertion, found)) continue;
      ofSender.push({ from: sender, to: receiver, found });
      left--;
    }
    addAll(broken, ofSender.sort(by((it) => it.to.name)));
    if (broken.length >= MOST_PAIRS) break;
  }
  return broken.slice(0, MOST_PAIRS);
}

/** Receivers that the sender has a link to. Iterates over the shorter of the two lists. */
function* linkedAmong(
  sender: AddressedCluster,
  to: readonly AddressedCluster[],
  receivers: ReadonlySet<AddressedCluster>,
): Iterable<AddressedCluster> {
  if (to.length <= sender.peers.size) {
    for (const it of to) if (it !== sender && sender.peers.has(it.name)) yield it;
    return;
  }
  for (const { cluster } of sender.peers.values()) if (receivers.has(cluster)) yield cluster;
}

/** For each sender the receivers without a link to it that may break the assertion. */
function suspectsOf(
  { linksWork, mayOffload }: PairFates,
  paths: Paths,
  { assertion, from, to }: Asserted,
): (sender: AddressedCluster) => readonly AddressedCluster[] {
  const { expect, via, by: refusing, flow } = assertion;
  const retired = [...from, ...to].some((it) => it.retired);
  // When the links alone do not decide, every pair is checked.
  if (retired || refusing !== null || flow !== undefined || (expect === 'reachable' && via === 'shortcut'))
    return () => to;
  if (expect === 'unreachable' && via === 'shortcut') return () => [];
  if (!linksWork()) return () => to;
  const isSuspect = (hubs: readonly string[], receiver: string): boolean =>
    expect === 'unreachable' ? hubs.length > 0 : !hubs.some((it) => mayOffload(it, receiver));
  const suspects = ({ name }: AddressedCluster) => to.filter((it) => isSuspect(paths.between(name, it.name), it.name));
  // For one sender no group is looked up: that costs more for a hub with many peers than to check a few receivers.
  if (from.length === 1) return suspects;
  const kept = new Map<string, readonly AddressedCluster[]>();
  return (sender) => {
    const key = paths.linkedWith(sender.name).join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = suspects(sender);
    kept.set(key, made);
    return made;
  };
}

/** Fates of a pair between which no compiled path carries a packet. */
const NOTHING_PASSES: ReadonlySet<FateKind> = new Set([
  ...(['no-route', 'no-keys', 'refused', 'refused-by-policy', 'retired', 'self'] as const),
]);

const isRefused = (fate: FateKind): fate is 'refused' | 'refused-by-policy' =>
  fate === 'refused' || fate === 'refused-by-policy';

/**
 * True when the fate breaks the assertion. A packet that arrives and cannot be answered is neither reachable nor
 * unreachable.
 */
function isBroken({ expect, by: reason }: Assertion, { fate }: PairFate): boolean {
  if (expect === 'reachable') return fate !== 'delivered';
  if (reason === 'fence') return fate !== 'refused';
  if (reason === 'policy') return fate !== 'refused-by-policy';
  return !NOTHING_PASSES.has(fate) || (reason === 'no-path' && isRefused(fate));
}
