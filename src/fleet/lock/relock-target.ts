/** What `--relock CLUSTER[/PEER]` names: all decisions of a cluster, or those about one of its peers. */
export interface RelockTarget {
  readonly cluster: string;
  readonly peer: string | null;
}

/** `--relock all`: every cluster, unless one has that name. */
export const EVERY_CLUSTER = 'all';

/** The text to type after `--relock`. */
export const printRelockTarget = ({ cluster, peer }: RelockTarget): string =>
  peer === null ? cluster : `${cluster}/${peer}`;

/** `undefined` for a text that is neither one name nor two. Whether such clusters exist is checked elsewhere. */
export function parseRelockTarget(text: string): RelockTarget | undefined {
  const [, cluster, peer] = /^([^/]+)(?:\/([^/]+))?$/.exec(text) ?? [];
  return cluster === undefined ? undefined : { cluster, peer: peer ?? null };
}
