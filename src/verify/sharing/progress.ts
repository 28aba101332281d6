import type { Expectation } from '../expectation.ts';
import type { ExpectedShare, ExpectedSlice } from '../expected/expect-shares.ts';

/**
 * How far a share gets with what is in git: `waits` for a key, `served` without an answer in git, `connected` with one; and
 * `restless` when one of the two clusters drains the other, since that never comes to rest.
 */
type Progress = 'restless' | 'waits' | 'served' | 'connected';

export function progressOf({ shares }: Expectation, share: ExpectedShare): Progress {
  const ends = [share.consumer, share.provider];
  const ofPair = shares.filter((it) => ends.includes(it.consumer) && ends.includes(it.provider));
  if (ofPair.some((it) => it.condition === 'Drained')) return 'restless';
  if (share.auth === 'credentials') return 'connected';
  if (share.key === null) return 'waits';
  return share.answer === null ? 'served' : 'connected';
}

/** The slices that become virtual nodes: Liqo answers them by itself, and not for a cordoned tenant. */
export function nodesOf(expected: Expectation, share: ExpectedShare): readonly ExpectedSlice[] {
  const isAnswered = progressOf(expected, share) === 'connected' && share.condition === 'Active';
  return isAnswered ? share.slices.filter((it) => it.class === 'default') : [];
}
