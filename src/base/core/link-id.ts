/**
 * The identity of a link, `rome/europe`: its two clusters, in the order that the lock file records. Two clusters have at
 * most one link, so `rome/europe` and `europe/rome` are the same link under two identities.
 */
export interface LinkId {
  readonly first: string;
  readonly second: string;
}

export const printLinkId = ({ first, second }: LinkId): string => `${first}/${second}`;

/** The other identity of the same link. */
export const reverseLinkId = ({ first, second }: LinkId): LinkId => ({ first: second, second: first });
