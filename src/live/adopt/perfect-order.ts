import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { giveBack, missedAmong, takeEnd } from './replay-viewer.ts';
import type { RemappedEnd, Viewer } from './viewer.ts';

/** Links that somebody remaps. For more of them there are too many sets of links that came before. */
const MOST_LINKS = 32;

/** Sets of links that are looked at. */
const MOST_SETS = 4000;

/**
 * The first order in which a rollout gives every cluster exactly the views that it has; `undefined` where there is none, or
 * none was found with bounded work. What may come next depends on the set of links that came before, so each set is looked at
 * once.
 */
export function perfectOrder(
  viewers: ReadonlyMap<string, Viewer>,
  reference: readonly Link[],
): readonly Link[] | undefined {
  const ends = new Map<Link, RolloutEnd[]>(reference.map((it) => [it, []]));
  for (const it of viewers.values()) {
    const ipam = it.freshIpam();
    for (const end of it.remapped) ends.get(end.link)?.push({ end, ipam });
  }
  const links = reference.filter((it) => (ends.get(it) ?? []).length > 0);
  if (links.length > MOST_LINKS) return undefined;
  const order: number[] = [];
  const search: Search = { links: links.map((it) => ends.get(it) ?? []), dead: new Set(), order };
  if (!follow(search, 0)) return undefined;
  const free = reference.filter((it) => (ends.get(it) ?? []).length === 0);
  return [...free, ...order.flatMap((it) => links[it] ?? [])];
}

interface RolloutEnd {
  readonly end: RemappedEnd;
  readonly ipam: Allocator;
}

interface Search {
  readonly links: readonly (readonly RolloutEnd[])[];
  /** Sets after which no order goes on to the end: a bit for each link. */
  readonly dead: Set<number>;
  readonly order: number[];
}

function follow(search: Search, placed: number): boolean {
  const { links, dead, order } = search;
  if (order.length === links.length) return true;
  if (dead.has(placed) || dead.size > MOST_SETS) return false;
  for (const [index, ends] of links.entries()) {
    const bit = 2 ** index;
    if (Math.floor(placed / bit) % 2 === 1) continue;
    const given = ends.map(({ end, ipam }) => takeEnd(end, ipam));
    if (ends.every(({ end }, i) => missedAmong(end, given[i] ?? []).length === 0)) {
      order.push(index);
      if (follow(search, placed + bit)) return true;
      order.pop();
    }
    for (const [i, { ipam }] of ends.entries()) giveBack(given[i] ?? [], ipam);
  }
  dead.add(placed);
  return false;
}
