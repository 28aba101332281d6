import type { Link } from '../../fleet/model/network-model.ts';
import { MinHeap } from './min-heap.ts';
import { RolloutAt } from './rollout-at.ts';
import type { RemappedEnd, Viewer } from './viewer.ts';

/** Links that are compared where no link can come next without losing a view. */
const MOST_COMPARED = 48;

/**
 * An order of links in which a rollout gives every cluster the networks that it has, where there is one: the clusters are
 * rolled out together, and the next link is always one whose two ends get what they have. Where there is none, the link comes
 * next that loses the fewest views. Among several, the first one of the reference comes first.
 *
 * The answers of an IPAM depend on the set of networks that are taken and not on their order, so at most one peer in each
 * cluster and length of network comes next: the search hardly ever has a choice, and takes a few questions for each link.
 */
export function forwardOrder(viewers: ReadonlyMap<string, Viewer>, reference: readonly Link[]): readonly Link[] {
  const rank = new Map(reference.map((it, index) => [it, index]));
  const inReference = (a: RemappedEnd, b: RemappedEnd): number => (rank.get(a.link) ?? 0) - (rank.get(b.link) ?? 0);
  const rollouts = new Map(
    [...viewers].map(([name, it]) => [name, new RolloutAt(it, [...it.remapped].sort(inReference))]),
  );
  const rolloutsOf = rolloutsBy(viewers, rollouts);
  const left = new Set(reference);
  const candidates = new MinHeap();
  const isReady = (link: Link): boolean => rolloutsOf(link).every((it) => it.ready.has(link));
  const addReady = (at: RolloutAt): void => {
    for (const it of at.ready) if (left.has(it) && isReady(it)) candidates.add(rank.get(it) ?? 0);
  };
  for (const it of rollouts.values()) addReady(it);
  // What nobody remaps takes part in no order.
  const order = reference.filter((it) => rolloutsOf(it).length === 0);
  for (const it of order) left.delete(it);
  while (left.size > 0) {
    const at = candidates.take();
    const ready = at === undefined ? undefined : reference[at];
    if (ready !== undefined && !(left.has(ready) && isReady(ready))) continue;
    const next = ready ?? leastCostly(left, rolloutsOf, rank);
    if (next === undefined) break;
    left.delete(next);
    order.push(next);
    for (const it of rolloutsOf(next)) it.take(next);
    for (const it of rolloutsOf(next)) addReady(it);
  }
  return order;
}

type RolloutsOf = (link: Link) => readonly RolloutAt[];

function rolloutsBy(viewers: ReadonlyMap<string, Viewer>, rollouts: ReadonlyMap<string, RolloutAt>): RolloutsOf {
  const byLink = new Map<Link, RolloutAt[]>();
  for (const [name, { remapped }] of viewers) {
    const rollout = rollouts.get(name);
    for (const { link } of rollout === undefined ? [] : remapped) {
      const known = byLink.get(link) ?? [];
      if (rollout !== undefined) byLink.set(link, [...known, rollout]);
    }
  }
  return (link) => byLink.get(link) ?? [];
}

function leastCostly(
  left: ReadonlySet<Link>,
  rolloutsOf: RolloutsOf,
  rank: ReadonlyMap<Link, number>,
): Link | undefined {
  const suspects = new Set<Link>();
  const compared = new Set<Link>();
  for (const it of left) {
    compared.add(it);
    for (const at of rolloutsOf(it)) for (const one of at.suspects()) if (left.has(one)) suspects.add(one);
    if (compared.size + suspects.size >= MOST_COMPARED) break;
  }
  const costOf = (link: Link): number => rolloutsOf(link).reduce((sum, it) => sum + it.costOf(link), 0);
  // A suspect before others of the same cost.
  const costs = [...new Set([...suspects, ...compared])].map((link) => ({ link, cost: costOf(link) }));
  const [least] = costs.sort(
    (a, b) =>
      a.cost - b.cost ||
      Number(suspects.has(b.link)) - Number(suspects.has(a.link)) ||
      (rank.get(a.link) ?? 0) - (rank.get(b.link) ?? 0),
  );
  return least?.link;
}
