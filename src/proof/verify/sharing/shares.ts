import { groupBy } from '../../../base/core/collections.ts';
import { oncePer } from '../../../base/core/once.ts';
import type { ExpectedShare, ExpectedSlice } from '../expected/expect-shares.ts';

type Shares = readonly ExpectedShare[];

/** Every object of a pair asks for its shares, and a mesh of a hundred clusters has ten thousand of them. */
const pairsOf = oncePer((shares: Shares) => ({
  byCluster: groupBy(shares, ({ consumer, provider }) => [consumer, provider]),
  byPair: new Map(shares.map((it) => [`${it.consumer}/${it.provider}`, it])),
}));

/** Shares in which a cluster borrows or lends, in the order of the list. */
export const sharesOf = (shares: Shares, cluster: string): Shares => pairsOf(shares).byCluster.get(cluster) ?? [];

/** The loan from a provider to a consumer. */
export const shareBetween = (shares: Shares, consumer: string, provider: string): ExpectedShare | undefined =>
  pairsOf(shares).byPair.get(`${consumer}/${provider}`);

/**
 * Progress of a share with the files in git. `waits`: for a key. `served`: without an answer in git. `connected`: with
 * an answer. `drained`: the remaining objects depend on the past.
 */
type Progress = 'drained' | 'waits' | 'served' | 'connected';

export function progressOf(share: ExpectedShare): Progress {
  if (share.condition === 'Drained') return 'drained';
  if (share.auth === 'credentials') return 'connected';
  if (share.key === null) return 'waits';
  return share.answer === null ? 'served' : 'connected';
}

/** The slices that become virtual nodes. Liqo accepts them automatically, but not for a cordoned tenant. */
export function nodesOf(share: ExpectedShare): readonly ExpectedSlice[] {
  const isAnswered = progressOf(share) === 'connected' && share.condition === 'Active';
  return isAnswered ? share.slices.filter((it) => it.class === 'default') : [];
}
