import { by } from '../core/order.ts';
import type { Change } from './change.ts';
import type { Plan } from './plan-changes.ts';

export interface Removal {
  /** `keys`: gateways that have no key any more; `swapped-keys`: links whose two gateways have exchanged theirs. */
  readonly what: 'clusters' | 'links' | 'keys' | 'swapped-keys';
  /** The names of each: a cluster has one, a link has two, and so has a gateway: its cluster and the peer. */
  readonly gone: readonly (readonly string[])[];
  readonly of: number;
}

/** A third: above it, a plan is more often a mistake (an emptied file, a wrong branch) than intended. */
export const MAX_REMOVED = 1 / 3;

/**
 * Removed clusters or links, if they are more than a share of all; a renamed cluster is not removed. Keys that are lost or
 * exchanged are always reported, because the tunnels of links that stay go down.
 */
export function tooMuchRemoved({ changes, size }: Plan, maxShare: number): readonly Removal[] {
  const clusters = changes.flatMap((it) =>
    it.kind === 'cluster-retired' || (it.kind === 'cluster-removed' && !it.wasRetired) ? [[it.cluster]] : [],
  );
  const links = changes.flatMap((it) => (it.kind === 'link-removed' ? [it.link.ends] : []));
  const keys = changes.flatMap((it) => (it.kind === 'key-removed' ? [[it.cluster, it.peer]] : []));
  const removals: readonly Removal[] = [
    { what: 'clusters', gone: clusters, of: size.before.clusters },
    { what: 'links', gone: links, of: size.before.links },
  ];
  const inUse: readonly Removal[] = [
    { what: 'keys', gone: keys.toSorted(by((it) => it.join(' '))), of: 2 * size.before.links },
    { what: 'swapped-keys', gone: swapped(changes), of: size.before.links },
  ];
  return [...removals.filter((it) => it.gone.length > it.of * maxShare), ...inUse.filter((it) => it.gone.length > 0)];
}

/** Links of which each gateway has the key that the other one had: neither has the private half of it. */
function swapped(changes: readonly Change[]): readonly (readonly string[])[] {
  const changed = changes.filter((it): it is Change<'key-changed'> => it.kind === 'key-changed');
  const byPair = new Map(changed.map((it) => [`${it.cluster} ${it.peer}`, it]));
  const pairs = changed.filter((it) => {
    const other = byPair.get(`${it.peer} ${it.cluster}`);
    return other !== undefined && it.cluster < it.peer && it.to === other.from && it.from === other.to;
  });
  return pairs.map(({ cluster, peer }) => [cluster, peer]);
}
