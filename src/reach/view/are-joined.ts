import type { ClusterView } from './cluster-view.ts';

/** Whether the two reach each other, over a link that carries packets or through another cluster. */
export const areJoined = ({ peers, indirect }: ClusterView, other: string): boolean =>
  peers.some((it) => it.peer === other && it.keyless.length === 0) || indirect.some((it) => it.cluster === other);
