import { by } from '../core/order.ts';
import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { Assertion } from '../model/network-model.ts';
import { commonHubs } from './common-hubs.ts';
import type { PairFate, PairFates } from './pair-fates.ts';

/** The search ends after this many pairs; the first is reported, and how many more there are. */
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
 * links, so pairs without a link of their own are decided in groups: of the clusters with equal hubs, either all share
 * a hub with a receiver or none does.
 */
export function brokenPairs(pairFates: PairFates, asserted: Asserted): readonly BrokenPair[] {
  const { assertion, from, to } = asserted;
  const suspects = suspectsOf(pairFates, asserted);
  const broken: BrokenPair[] = [];
  const receivers = new Set(to);
  for (const sender of from) {
    const ofSender: BrokenPair[] = [];
    for (const receiver of linkedAmong(sender, to, receivers)) {
      const found = pairFates.between(sender, receiver);
      if (isBroken(assertion, found)) ofSender.push({ from: sender, to: receiver, found });
    }
    let left = MOST_PAIRS;
    for (const receiver of suspects(sender)) {
      if (left === 0) break;
      if (receiver === sender || sender.peers.has(receiver.name)) continue;
      const found = pairFates.between(sender, receiver);
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
  { hubsWork }: PairFates,
  { assertion, from, to }: Asserted,
): (sender: AddressedCluster) => readonly AddressedCluster[] {
  const { expect, via } = assertion;
  const retired = [...from, ...to].some((it) => it.retired);
  // When hubs alone do not decide, every pair is checked.
  if (retired || (expect === 'reachable' && via === 'shortcut')) return () => to;
  if (expect === 'unreachable' && via === 'shortcut') return () => [];
  if (!hubsWork()) return () => to;
  const kept = new Map<string, readonly AddressedCluster[]>();
  return (sender) => {
    const key = sender.hubs.join(' ');
    const known = kept.get(key);
    if (known) return known;
    const made = to.filter((it) => commonHubs(sender, it).length > 0 === (expect === 'unreachable'));
    kept.set(key, made);
    return made;
  };
}

function isBroken({ expect, via }: Assertion, pairFate: PairFate): boolean {
  const isReached = pairFate.fate === 'delivered' && (via === null || via === viaOf(pairFate));
  return isReached !== (expect === 'reachable');
}

/** Every way is one of the two: over a link between two spokes, or over links of a hub, which may be one end. */
function viaOf({ way }: PairFate): Assertion['via'] {
  switch (way.kind) {
    case 'direct':
      return way.link.kind === 'hub' ? 'hub' : 'shortcut';
    case 'through':
      return 'hub';
    case 'none':
      return null;
  }
}
