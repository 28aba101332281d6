import type { ClusterView } from './cluster-view.ts';

/** Whether the two reach each other, by a link or through a hub. */
export const areJoined = ({ peers, indirect }: ClusterView, other: string): boolean =>
  peers.some((it) => it.peer === other) || indirect.some((it) => it.cluster === other);
