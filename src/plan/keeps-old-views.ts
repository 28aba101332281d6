import type { NetworkState } from './network-state.ts';

/** Whether the lock keeps views of a cluster that a new installation of its Liqo would not get, since it asks for all again. */
export function keepsOldViews(cluster: string, { links }: NetworkState): boolean {
  return [...links.values()].some((it) => it.sides.get(cluster)?.views.some((view) => view.history));
}
