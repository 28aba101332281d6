import type { ExpectedShare, ExpectedSlice } from '../expected/expect-shares.ts';

/**
 * How far a share gets with what is in git: `waits` for a key, `served` without an answer in git, `connected` with one; and
 * `drained`, of which it depends on the past what is left.
 */
type Progress = 'drained' | 'waits' | 'served' | 'connected';

export function progressOf(share: ExpectedShare): Progress {
  if (share.condition === 'Drained') return 'drained';
  if (share.auth === 'credentials') return 'connected';
  if (share.key === null) return 'waits';
  return share.answer === null ? 'served' : 'connected';
}

/** The slices that become virtual nodes: Liqo answers them by itself, and not for a cordoned tenant. */
export function nodesOf(share: ExpectedShare): readonly ExpectedSlice[] {
  const isAnswered = progressOf(share) === 'connected' && share.condition === 'Active';
  return isAnswered ? share.slices.filter((it) => it.class === 'default') : [];
}
