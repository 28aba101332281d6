import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { giveBack, missedAmong, takeEnd } from './replay-viewer.ts';
import type { RemappedEnd, Viewer } from './viewer.ts';

/** Up to this number of links with a remapped end all orders of them count. */
const MOST_LINKS = 7;

interface AskedAt {
  readonly end: RemappedEnd;
  readonly ipam: Allocator;
}

/**
 * The first of the orders of all links in which a rollout misses the fewest views in all clusters together: orders that are
 * best for single clusters may contradict each other. `undefined` for a fleet with more links.
 */
export function exactFleetOrder(
  viewers: ReadonlyMap<string, Viewer>,
  reference: readonly Link[],
): readonly Link[] | undefined {
  const endsOf = endsByLink(viewers);
  if (endsOf.size > MOST_LINKS) return undefined;
  let best: { readonly order: readonly Link[]; readonly missed: number } = {
    order: [],
    missed: Number.POSITIVE_INFINITY,
  };
  const follow = (before: readonly Link[], left: readonly Link[], missed: number): void => {
    if (missed >= best.missed) return;
    if (left.length === 0) best = { order: before, missed };
    for (const link of left) {
      const taken = (endsOf.get(link) ?? []).map((it) => ({ ...it, given: takeEnd(it.end, it.ipam) }));
      const lost = taken.reduce((sum, it) => sum + missedAmong(it.end, it.given).length, 0);
      follow(
        [...before, link],
        left.filter((it) => it !== link),
        missed + lost,
      );
      for (const it of taken) giveBack(it.given, it.ipam);
    }
  };
  follow(
    [],
    reference.filter((it) => endsOf.has(it)),
    0,
  );
  return [...best.order, ...reference.filter((it) => !endsOf.has(it))];
}

function endsByLink(viewers: ReadonlyMap<string, Viewer>): ReadonlyMap<Link, readonly AskedAt[]> {
  const ends = new Map<Link, AskedAt[]>();
  for (const { remapped, freshIpam } of viewers.values()) {
    const ipam = freshIpam();
    for (const end of remapped) ends.set(end.link, [...(ends.get(end.link) ?? []), { end, ipam }]);
  }
  return ends;
}
