import { sortedUnique } from '../../base/core/order.ts';
import type { Located } from '../../base/source/located.ts';

/** A cluster, and the hubs that it names itself; `null` when those of the fleet apply. */
interface Spoke {
  readonly name: string;
  readonly retired: boolean;
  readonly hubs: readonly Located<string>[] | null;
}

/** The hubs that each of these clusters is a spoke of, in order of name. */
export function hubsOf(
  clusters: readonly Spoke[],
  hubsOfTheFleet: readonly Located<string>[],
): (cluster: Spoke) => readonly string[] {
  const live = new Set(clusters.filter((it) => !it.retired).map((it) => it.name));
  const ofTheFleet = hubsOfTheFleet.map((it) => it.value);
  return ({ name, retired, hubs }) => {
    if (retired) return [];
    const named = hubs?.map((it) => it.value) ?? (ofTheFleet.includes(name) ? [] : ofTheFleet);
    return sortedUnique(named.filter((it) => it !== name && live.has(it)));
  };
}
