import { byCodeUnit } from '../../base/core/order.ts';
import type { Located } from '../../base/source/located.ts';
import { clustersWithLabels } from './clusters-with-labels.ts';
import type { Selector } from './selector.ts';

/** What decides whether a cluster is an end of a link by labels. */
export interface LinkableCluster {
  readonly name: string;
  readonly retired: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** The hubs that it is a spoke of, in order of name. */
  readonly hubs: readonly string[];
}

/** Two clusters, in order of name; each has the place of what selects it. */
export type Pair = readonly [Located<string>, Located<string>];

interface SelectedPairs {
  /** How many they may be: a cluster that both ends select counts more than once. */
  readonly most: number;
  /** Each pair once; made when asked for, since they may be too many. */
  readonly pairs: () => readonly Pair[];
}

/** The pairs of different clusters of which one end selects one, and the other end the other. */
export function selectPairs(
  [first, second]: readonly [Selector, Selector],
  clusters: ReadonlyMap<string, LinkableCluster>,
): SelectedPairs {
  const [some, others] = [namesOf(first, clusters), namesOf(second, clusters)];
  const most = first === second ? (some.length * (some.length - 1)) / 2 : some.length * others.length;
  const pairs = (): readonly Pair[] => {
    const found = new Map<string, Pair>();
    for (const one of some) {
      for (const other of others) {
        const pair: Pair = byCodeUnit(one.value, other.value) < 0 ? [one, other] : [other, one];
        if (one.value !== other.value && !found.has(pairKey(pair))) found.set(pairKey(pair), pair);
      }
    }
    return [...found.values()];
  };
  return { most, pairs };
}

/** The same for both orders of the ends. */
export const pairKey = (ends: Pair): string =>
  ends
    .map((it) => it.value)
    .sort(byCodeUnit)
    .join('/');

/** A name that the topology does not declare is selected, too: a rule reports it. */
const namesOf = (selector: Selector, clusters: ReadonlyMap<string, LinkableCluster>): readonly Located<string>[] =>
  selector.kind === 'cluster'
    ? [{ value: selector.name, at: selector.at }]
    : clustersWithLabels(clusters, selector.labels).map((it) => ({ value: it.name, at: selector.at }));
