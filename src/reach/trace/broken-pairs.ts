import { by } from '../../base/core/collections.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Assertion } from '../../fleet/model/network-model.ts';
import type { Paths } from '../../fleet/model/paths.ts';
import type { FateKind } from './fates.ts';
import type { PairFate, PairFates } from './pair-fates.ts';

/** The search ends after this many pairs; the message contains the first pair and the number of the others. */
export const MOST_PAIRS = 5;

interface Asserted {
  readonly assertion: Assertion;
  /** In order of name. */
  readonly from: readonly AddressedCluster[];
  /** In order of name. */
  readonly to: readonly AddressedCluster[];
}

export interface BrokenPair {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  readonly found: PairFate;
}

/**
 * The first pairs that break an assertion, in order of name; empty when it holds. A fleet has far more pairs than
 * links, so pairs without a link are decided in groups: clusters with equal peers reach the same receivers through
 * another cluster.
 */
export function brokenPairs(
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
    broken.push(...ofSender.sort(by((it) => it.to.name)));
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
  { linksWork }: PairFates,
  paths: Paths,
  { assertion, from, to }: Asserted,
): (sender: AddressedCluster) => readonly AddressedCluster[] {
  const { expect, via } = assertion;
  const retired = [...from, ...to].some((it) => it.retired);
  // When the links alone do not decide, every pair is checked.
  if (retired || (expect === 'reachable' && via === 'shortcut')) return () => to;
  if (expect === 'unreachable' && via === 'shortcut') return () => [];
  if (!linksWork()) return () => to;
  const suspects = ({ name }: AddressedCluster) =>
    to.filter((it) => paths.between(name, it.name).length > 0 === (expect === 'unreachable'));
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
const NOTHING_PASSES: ReadonlySet<FateKind> = new Set(['no-route', 'no-keys', 'retired', 'self']);

/**
 * True when the fate breaks the assertion. A packet that arrives and cannot be answered is neither reachable nor
 * unreachable.
 */
const isBroken = ({ expect }: Assertion, { fate }: PairFate): boolean =>
  expect === 'reachable' ? fate !== 'delivered' : !NOTHING_PASSES.has(fate);
