/** The cluster or link that a difference concerns. */
export interface Subject {
  /** The ends of the link, if it concerns a whole link. */
  readonly link: readonly [string, string] | null;
  /** The cluster where it happens comes first; empty for the fleet. */
  readonly clusters: readonly string[];
}

export const aboutLink = (ends: readonly [string, string]): Subject => ({ link: ends, clusters: ends });

export const aboutCluster = (cluster: string, others: readonly string[] = []): Subject => ({
  link: null,
  clusters: [cluster, ...others],
});

/** One end of a link. */
export const aboutSide = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): Subject =>
  aboutCluster(cluster, [peer]);

export const ABOUT_FLEET: Subject = { link: null, clusters: [] };
