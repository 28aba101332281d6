import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { contains, type Prefix } from '../../base/net/prefix.ts';
import type { Located } from '../../base/source/located.ts';

type Networks = readonly Located<Prefix>[];

/**
 * The networks that lie in both lists, in the order of the first one. Of two that are equal it is the second. The result has
 * at most as many as both lists together, also where a list repeats itself: such a list is refused later.
 */
export function commonNetworks(some: Networks, others: Networks): Networks {
  const [indexOfSome, indexOfOthers] = [indexOf(some), indexOf(others)];
  const inside = new Map<Located<Prefix>, Located<Prefix>[]>();
  for (const it of others) {
    const around = indexOfSome.first(it.value);
    if (!around || !contains(around.value, it.value)) continue;
    const found = inside.get(around);
    if (found) found.push(it);
    else inside.set(around, [it]);
  }
  return some.flatMap((it) => {
    if (indexOfSome.first(it.value) !== it) return [];
    const around = indexOfOthers.first(it.value);
    return inside.get(it) ?? (around && contains(around.value, it.value) ? [it] : []);
  });
}

function indexOf(networks: Networks): OverlapIndex<Located<Prefix>> {
  const index = new OverlapIndex<Located<Prefix>>();
  for (const it of networks) index.add(it.value, it);
  return index;
}
