import { groupBy } from '../../../base/core/group-by.ts';
import { byCodeUnit, sortedUnique } from '../../../base/core/order.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Declaration } from '../../../fleet/topology/declaration.ts';
import type { OffloadingDeclaration } from '../../../fleet/topology/sharing-declaration.ts';
import type { ExpectedShare } from './expect-shares.ts';
import { clustersSelectedBy } from './selected-clusters.ts';

/** A namespace of a cluster whose pods may run in providers, as the topology requires. */
export interface ExpectedOffloading {
  readonly at: Span;
  readonly cluster: string;
  readonly namespace: string;
  readonly providers: readonly string[];
  readonly pods: OffloadingDeclaration['pods']['value'];
  readonly remoteName: string | null;
  readonly createNamespace: boolean;
}

/** Every entry of `offloading` whose cluster is not retired. Its providers are those that lend to the cluster. */
export function expectOffloadings(
  { offloading, clusters }: Declaration,
  shares: readonly ExpectedShare[],
): readonly ExpectedOffloading[] {
  const lendersOf = groupBy(shares, ({ consumer }) => [consumer]);
  const present = new Set(clusters.filter((it) => !it.retired).map((it) => it.name));
  return offloading
    .filter((it) => present.has(it.cluster.value))
    .map((it): ExpectedOffloading => {
      const cluster = it.cluster.value;
      const lenders = new Set(lendersOf.get(cluster)?.map((share) => share.provider));
      const selected = it.to?.flatMap((selector) => clustersSelectedBy(selector, clusters)).map(({ name }) => name);
      return {
        at: it.at,
        cluster,
        namespace: it.namespace.value,
        providers: sortedUnique(selected ? selected.filter((name) => lenders.has(name)) : [...lenders]),
        pods: it.pods.value,
        remoteName: it.remoteName?.value ?? null,
        createNamespace: it.createNamespace,
      };
    })
    .sort((a, b) => byCodeUnit(a.cluster, b.cluster) || byCodeUnit(a.namespace, b.namespace));
}
