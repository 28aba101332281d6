import { sortedUnique } from '../../../base/core/order.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Expectation } from '../expectation.ts';
import { shareBetween, sharesOf } from './pairs-of-shares.ts';
import type { WantedObject } from './wanted-object.ts';
import { wantedOfOffloading } from './wanted-of-offloading.ts';
import { wantedInConsumer, wantedInProvider, wantedNamespace } from './wanted-of-share.ts';

/** A file with objects of authentication or offloading. */
export interface SharedFile {
  /** Below `out/`. */
  readonly path: string;
  readonly cluster: string;
  /** The remote cluster; `null` for a file about none. */
  readonly remote: string | null;
  /** The place in the topology that requires it. */
  readonly at: Span;
  readonly wanted: readonly WantedObject[];
}

/** Every file in a folder `sharing` or `offloading` but the lists, by path. The layout is a copy of its own, as all here. */
export function sharedFiles({ shares, offloadings, clusters, at }: Expectation): readonly SharedFile[] {
  const names = sortedUnique(shares.flatMap((it) => [it.consumer, it.provider]));
  const ofRemotes = names.flatMap((cluster) => {
    const own = sharesOf(shares, cluster);
    const remotes = sortedUnique(own.map((it) => (it.consumer === cluster ? it.provider : it.consumer)));
    return remotes.map((remote): SharedFile => {
      const borrowed = shareBetween(shares, cluster, remote);
      const lent = shareBetween(shares, remote, cluster);
      const hasLink = clusters.get(cluster)?.ends.has(remote) === true;
      return {
        path: `${cluster}/sharing/${remote}.yaml`,
        cluster,
        remote,
        at: borrowed?.at ?? lent?.at ?? at,
        wanted: [
          ...(hasLink ? [] : [wantedNamespace(remote)]),
          ...(lent ? wantedInProvider(lent) : []),
          ...(borrowed ? wantedInConsumer(borrowed) : []),
        ],
      };
    });
  });
  const ofNamespaces = offloadings.map(
    (it): SharedFile => ({
      path: `${it.cluster}/offloading/${it.namespace}.yaml`,
      cluster: it.cluster,
      remote: null,
      at: it.at,
      wanted: wantedOfOffloading(it),
    }),
  );
  return [...ofRemotes, ...ofNamespaces];
}
