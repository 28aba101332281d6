/** What `--relock CLUSTER[/PEER]` names: all that a cluster decided, or what it decided about one peer. */
export interface RelockTarget {
  readonly cluster: string;
  readonly peer: string | null;
}

/** As it is typed behind `--relock`. */
export const printRelockTarget = ({ cluster, peer }: RelockTarget): string =>
  peer === null ? cluster : `${cluster}/${peer}`;

/** `undefined` for a text that is neither one name nor two. Whether clusters have these names is asked elsewhere. */
export function parseRelockTarget(text: string): RelockTarget | undefined {
  const [, cluster, peer] = /^([^/]+)(?:\/([^/]+))?$/.exec(text) ?? [];
  return cluster === undefined ? undefined : { cluster, peer: peer ?? null };
}
