import type { Link } from '../../fleet/model/network-model.ts';
import { exactFleetOrder, exactOrder, MOST_EXACT, perfectOrder } from './exact-order.ts';
import { forwardOrder } from './forward-order.ts';
import { mergeChains } from './merge-chains.ts';
import { type MissedView, type RemappedEnd, replayViewer, type Viewer } from './viewer.ts';

/** An order of joining, and the views that a rollout in this order would not give. */
export interface Explanation {
  readonly order: readonly Link[];
  readonly missed: readonly MissedView[];
}

/**
 * An order in which a rollout of the whole fleet gives as many views as possible as they are. Of several that are as good,
 * that of the first reference, as it is; the references are orders of all links that are likely.
 */
export function explainingOrder(
  viewers: ReadonlyMap<string, Viewer>,
  references: readonly (readonly Link[])[],
): Explanation {
  const [first = [], ...others] = references;
  let best = explainedBy(viewers, first);
  const offer = (order: readonly Link[]): void => {
    const offered = best.missed.length === 0 ? best : explainedBy(viewers, order);
    if (offered.missed.length < best.missed.length) best = offered;
  };
  for (const it of others) offer(it);
  for (const it of references) if (best.missed.length > 0) offer(forwardOrder(viewers, it));
  if (best.missed.length === 0) return best;
  const perfect = perfectOrder(viewers, best.order);
  if (perfect !== undefined) return explainedBy(viewers, perfect);
  const ofFleet = exactFleetOrder(viewers, best.order);
  if (ofFleet !== undefined) {
    offer(ofFleet);
    return best;
  }
  const exact = mergeChains(exactChains(viewers, best), best.order);
  offer(exact);
  if (best.missed.length > 0) offer(forwardOrder(viewers, exact));
  return best;
}

export function explainedBy(viewers: ReadonlyMap<string, Viewer>, order: readonly Link[]): Explanation {
  const inOrder = comparedBy(order);
  return { order, missed: [...viewers.values()].flatMap((it) => replayViewer(it, [...it.remapped].sort(inOrder))) };
}

/** The best order of each small cluster for itself, and that of the others in the best order until now. */
function exactChains(viewers: ReadonlyMap<string, Viewer>, { order, missed }: Explanation): readonly Link[][] {
  const inOrder = comparedBy(order);
  const broken = new Set(missed.map((it) => it.end.viewer));
  return [...viewers.values()].map((it) => {
    const ends = [...it.remapped].sort(inOrder);
    const isOpen = broken.has(it.cluster.name) && ends.length <= MOST_EXACT;
    return (isOpen ? exactOrder(it, ends).order : ends).map((end) => end.link);
  });
}

function comparedBy(order: readonly Link[]): (a: RemappedEnd, b: RemappedEnd) => number {
  const place = new Map(order.map((it, index) => [it, index]));
  return (a, b) => (place.get(a.link) ?? 0) - (place.get(b.link) ?? 0);
}
