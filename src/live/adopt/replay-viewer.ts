import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import type { View } from '../../fleet/ipam/addressed-model.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import type { RemappedEnd, Viewer } from './viewer.ts';

/** A view that a rollout would not give. */
export interface MissedView {
  readonly end: RemappedEnd;
  readonly view: View;
  /** What it would give; `null` where no network is left. */
  readonly again: Prefix | null;
}

/** The views of a cluster that a rollout would give otherwise, if its peers came in this order. */
export function replayViewer({ freshIpam }: Viewer, order: readonly RemappedEnd[]): readonly MissedView[] {
  const ipam = freshIpam();
  return order.flatMap((end) => missedAmong(end, takeEnd(end, ipam)));
}

/** What the IPAM gives to each request of a link; `null` where it refuses. */
export const takeEnd = ({ views }: RemappedEnd, ipam: Allocator): readonly (Prefix | null)[] =>
  views.map(({ cidr }) => {
    const given = ipam.acquire(cidr);
    return given.ok ? given.prefix : null;
  });

export function giveBack(given: readonly (Prefix | null)[], ipam: Allocator): void {
  for (const it of given) if (it !== null) ipam.release(it);
}

/** The views of a link for which the IPAM gave another network. */
export const missedAmong = (end: RemappedEnd, given: readonly (Prefix | null)[]): readonly MissedView[] =>
  end.views.flatMap((view, index) => {
    const again = given[index] ?? null;
    return again !== null && samePrefix(again, view.seenAs) ? [] : [{ end, view, again }];
  });
