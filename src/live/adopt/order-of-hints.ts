import { groupBy } from '../../base/core/group-by.ts';
import { byCodeUnit } from '../../base/core/order.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { LiveView } from './live-network.ts';
import { mergeChains } from './merge-chains.ts';
import type { Viewer } from './viewer.ts';

/**
 * The links in the order in which their views were given, as far as the API servers say. Each cluster counts for itself, since
 * versions of two API servers do not compare. A peer that has its own network comes before those that asked for it, too. What
 * nothing orders is as in the reference.
 */
export function orderOfHints(
  viewers: ReadonlyMap<string, Viewer>,
  views: readonly LiveView[],
  reference: readonly Link[],
): readonly Link[] {
  const given = groupBy(views, (it) => [pairOf(it.viewer, it.peer)]);
  const chains = [...viewers.values()].map(({ cluster, remapped }) =>
    remapped
      .flatMap(({ link, peer }) => {
        const last = lastOf(given.get(pairOf(cluster.name, peer.name)) ?? []);
        return last === undefined ? [] : [{ link, ...last }];
      })
      .sort((a, b) => byCodeUnit(a.created, b.created) || a.version - b.version)
      .map((it) => it.link),
  );
  const holders = [...viewers.values()].flatMap(({ remapped }) =>
    remapped.flatMap(({ link, after }) => (after === null ? [] : [[after, link]])),
  );
  return mergeChains([...chains, ...holders], reference);
}

const pairOf = (viewer: string, peer: string): string => `${viewer}/${peer}`;

interface Moment {
  readonly created: string;
  readonly version: number;
}

/** When the last view of a peer was given; `undefined` where no object says. */
function lastOf(views: readonly LiveView[]): Moment | undefined {
  const known = views.filter(({ given }) => given.created !== null || given.version !== null);
  if (known.length === 0) return undefined;
  const [created = ''] = known.map((it) => it.given.created ?? '').sort((a, b) => byCodeUnit(b, a));
  return { created, version: Math.max(...known.map((it) => it.given.version ?? 0)) };
}
