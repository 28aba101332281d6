import type { Change } from './change.ts';
import type { LinkState } from './network-state.ts';

/** New links of clusters that lose another one in the same plan: connected first, they keep those clusters reachable. */
export function linksToMakeFirst(changes: readonly Change[]): readonly LinkState[] {
  const added = changes.flatMap((it) => (it.kind === 'link-added' ? [it.link] : []));
  const removed = changes.flatMap((it) => (it.kind === 'link-removed' ? [it.link] : []));
  const losers = new Set(removed.flatMap((it) => it.ends));
  return added.filter((it) => it.ends.some((end) => losers.has(end)));
}
