import { byCodeUnit } from '../../../base/core/order.ts';
import type { DecidedBefore } from './decided-before.ts';
import type { Pair } from './list-pairs.ts';

/**
 * The join number of each pair. Links of the lock keep theirs; new links follow: hub links before others, then by
 * `order` (a link joins with the later of its ends, and a hub exists from the start), then by name.
 */
export function joinOrder(
  pairs: readonly Pair[],
  order: readonly string[],
  before: DecidedBefore,
): ReadonlyMap<Pair, number> {
  const places = new Map(order.map((name, i) => [name, i]));
  const names = namesOf(pairs, before);
  const ranked = pairs.map((pair) => {
    const [a, b] = pair.ends;
    const joining = pair.ends.filter((it) => it !== pair.hub).map((it) => places.get(it.name) ?? order.length);
    return {
      pair,
      kept: before.join(a.name, b.name),
      rank: [pair.hub ? 0 : 1, Math.max(...joining), Math.min(...joining)] as const,
      name: names.get(pair) ?? '',
    };
  });
  type Ranked = (typeof ranked)[number];
  const byRank = (x: Ranked, y: Ranked): number =>
    x.rank.map((it, i) => it - (y.rank[i] ?? 0)).find((it) => it !== 0) ?? byCodeUnit(x.name, y.name);
  const known = ranked.filter((it) => it.kept !== null).sort((x, y) => (x.kept ?? 0) - (y.kept ?? 0) || byRank(x, y));
  const added = ranked.filter((it) => it.kept === null).sort(byRank);
  const joins = new Map<Pair, number>();
  let last = 0;
  // Two branches may have assigned the same number: the later link gets the next one.
  for (const { pair, kept } of [...known, ...added]) {
    last = Math.max(last + 1, kept ?? 0);
    joins.set(pair, last);
  }
  return joins;
}

/**
 * `rome/europe`: the name in the lock; else a cluster that is new to the lock first, of two such the one with more
 * links.
 */
function namesOf(pairs: readonly Pair[], before: DecidedBefore): ReadonlyMap<Pair, string> {
  const counts = new Map<string, number>();
  for (const { ends } of pairs) for (const { name } of ends) counts.set(name, (counts.get(name) ?? 0) + 1);
  const newness = (name: string): number => (before.clusters.has(name) ? 0 : (counts.get(name) ?? 0));
  return new Map(
    pairs.map((pair) => {
      const [a, b] = pair.ends.map((it) => it.name) as [string, string];
      const turned = !before.isEmpty && newness(b) > newness(a);
      return [pair, before.nameOf(a, b) ?? (turned ? `${b}/${a}` : `${a}/${b}`)];
    }),
  );
}
