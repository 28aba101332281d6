import { groupBy } from '../../base/core/collections.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { exactOrder, MOST_EXACT } from './exact-order.ts';
import { type Explanation, explainedBy } from './explaining-order.ts';
import { forwardOrder } from './forward-order.ts';
import { isRemap, type MissedView, type Viewer } from './viewer.ts';

/**
 * Why no order of joins gives a view: each cluster has an order of its own, and these contradict each other; the networks of
 * several peers were asked for in turn, which no order of whole peers does; or other networks were taken at that time.
 */
export type ForcedReason = 'contradicting' | 'interleaved' | 'others-then';

/** The views of one cluster that the lock keeps although a rollout would not give them. */
export interface ForcedViews {
  readonly viewer: Viewer;
  readonly views: readonly [MissedView, ...MissedView[]];
  readonly reason: ForcedReason;
}

/** What an order of joining does not explain, by cluster. */
export function forcedViews(
  viewers: ReadonlyMap<string, Viewer>,
  { order, missed }: Explanation,
): readonly ForcedViews[] {
  return [...groupBy(missed, (it) => [it.end.viewer])].flatMap(([name, [first, ...others]]) => {
    const viewer = viewers.get(name);
    if (viewer === undefined || first === undefined) return [];
    const isExplained = isExplainedAlone(viewer, order);
    const reason = isExplained ? 'contradicting' : areInterleaved(viewer) ? 'interleaved' : 'others-then';
    return [{ viewer, views: [first, ...others], reason } satisfies ForcedViews];
  });
}

/** Whether some order of the cluster's own peers gives all of its views. */
function isExplainedAlone(viewer: Viewer, order: Explanation['order']): boolean {
  if (viewer.remapped.length <= MOST_EXACT) return exactOrder(viewer, viewer.remapped).missed === 0;
  const alone = new Map([[viewer.cluster.name, viewer]]);
  const own = new Set(viewer.remapped.map((it) => it.link));
  const links = order.filter((it) => own.has(it));
  return explainedBy(alone, forwardOrder(alone, links)).missed.length === 0;
}

/** Whether the networks are given one by one in some order, although not peer by peer. */
function areInterleaved(viewer: Viewer): boolean {
  const ipam = viewer.freshIpam();
  const views = viewer.remapped.flatMap((it) => it.views);
  for (const { cidr } of views.filter((it) => !isRemap(it))) ipam.acquire(cidr);
  let left: ReadonlyMap<string, View> = new Map(views.filter(isRemap).map((it) => [keyOf(it.seenAs), it]));
  while (left.size > 0) {
    const rest = takeThoseThatAreNext(left, ipam);
    if (rest.size === left.size) return false;
    left = rest;
  }
  return true;
}

/** Takes, one for each length of network and again, what the IPAM gives next; gives what is left. */
function takeThoseThatAreNext(left: ReadonlyMap<string, View>, ipam: Allocator): ReadonlyMap<string, View> {
  const rest = new Map(left);
  for (const asker of left.values()) {
    const given = ipam.acquire(asker.cidr);
    if (!given.ok) continue;
    const holder = rest.get(keyOf(given.prefix));
    // The own network of the one that asks may still be free, and then it is not what it was given.
    if (holder === undefined || samePrefix(given.prefix, asker.cidr)) ipam.release(given.prefix);
    else rest.delete(keyOf(given.prefix));
  }
  return rest;
}

const keyOf = ({ base, length }: View['seenAs']): string => `${base}/${length}`;
