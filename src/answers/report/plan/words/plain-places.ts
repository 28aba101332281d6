import { groupBy } from '../../../../base/core/group-by.ts';
import { someOf } from '../../../../base/core/words.ts';
import { tenantNamespace } from '../../../../base/releases/tenant-namespace.ts';
import type { OtherNames } from '../../../../plan/other-names.ts';

/** A change, whose steps name objects. */
export interface Named {
  readonly otherNames?: readonly OtherNames[];
}

/** Places named in one step; a hub has thousands of peers. */
const NAMED_PLACES = 6;

const namesIn = ({ otherNames = [] }: Named, cluster: string, peer: string): OtherNames | undefined =>
  otherNames.find((it) => it.cluster === cluster && it.peer === peer);

/** The tenant namespace in a cluster for another one. */
export const namespaceIn = (it: Named, cluster: string, peer: string): string =>
  namesIn(it, cluster, peer)?.namespace ?? tenantNamespace(peer);

/** The Service of a gateway. */
export const serviceIn = (it: Named, cluster: string, peer: string): string =>
  `gw-${namesIn(it, cluster, peer)?.gateway ?? peer}`;

/** `liqo-tenant-milan in rome`. */
export const placeIn = (it: Named, cluster: string, peer: string): string =>
  `${namespaceIn(it, cluster, peer)} in ${cluster}`;

/** The tenant namespaces of both ends. */
export const placesOf = (it: Named, [a, b]: readonly [string, string]): string =>
  `${placeIn(it, a, b)}, ${placeIn(it, b, a)}`;

/** The namespaces in several clusters for one of them: `liqo-tenant-milan in rome and turin`. */
export function placesFor({ otherNames = [] }: Named, peer: string, clusters: readonly string[]): string {
  const others = new Map(otherNames.filter((it) => it.peer === peer).map((it) => [it.cluster, it.namespace]));
  const byName = groupBy(clusters, (it) => [others.get(it) ?? tenantNamespace(peer)]);
  return someOf(
    [...byName].map(([name, all]) => `${name} in ${someOf(all, NAMED_PLACES)}`),
    NAMED_PLACES,
    '; ',
  );
}

/** Those that are called after the cluster; a namespace of another name stays where that changes. */
export function usualPlacesFor({ otherNames = [] }: Named, peer: string, clusters: readonly string[]): string {
  const others = new Set(otherNames.flatMap((it) => (it.namespace === null ? [] : [it.cluster])));
  const usual = clusters.filter((it) => !others.has(it));
  return usual.length === 0 ? 'none here' : placesFor({}, peer, usual);
}
