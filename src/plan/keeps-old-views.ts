import type { NetworkState } from './network-state.ts';

/** Of states that are still in use: the clusters with such views. */
const known = new WeakMap<NetworkState, ReadonlySet<string>>();

/** Whether the lock keeps views of a cluster that a new installation of its Liqo would not get, since it asks for all again. */
export function keepsOldViews(cluster: string, state: NetworkState): boolean {
  const found = known.get(state) ?? clustersWithOldViews(state);
  known.set(state, found);
  return found.has(cluster);
}

const clustersWithOldViews = ({ links }: NetworkState): ReadonlySet<string> =>
  new Set(
    [...links.values()].flatMap(({ sides }) =>
      [...sides].filter(([, side]) => side.views.some((it) => it.history)).map(([cluster]) => cluster),
    ),
  );
