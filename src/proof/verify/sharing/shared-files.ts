import { groupBy, sortedUnique } from '../../../base/core/collections.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Expectation } from '../expectation.ts';
import type { ExpectedShare } from '../expected/expect-shares.ts';
import { resultsAboutPartner } from './results-about-partner.ts';
import { resultsInConsumer } from './results-in-consumer.ts';
import { resultsInProvider } from './results-in-provider.ts';
import { resultsOfMaps, resultsOfOffloading } from './results-of-offloading.ts';
import { shareBetween, sharesOf } from './shares.ts';
import type { WantedObject } from './wanted-object.ts';
import { wantedInConsumer, wantedInProvider, wantedNamespace, wantedOfOffloading } from './wanted-of-share.ts';

/** A file with objects of authentication or offloading. */
interface SharedFile {
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

/** Files with what is in git, and files with what Liqo makes of it: one after the other, since all together are large. */
export function* sharedAndResultFiles(expected: Expectation): Iterable<SharedFile> {
  yield* sharedFiles(expected);
  yield* resultFiles(expected);
}

/** What Liqo makes of what is shared and offloaded: for each cluster a file for each kind of object. */
function* resultFiles(expected: Expectation): Iterable<SharedFile> {
  for (const cluster of expected.clusters.values()) {
    const shares = sharesOf(expected.shares, cluster.name);
    const results = [
      ...resultsOfOffloading(expected, cluster.name),
      ...partnersIn(shares, cluster.name).flatMap((it) => resultsAboutPartner(expected, cluster.name, it)),
      ...shares.flatMap((it) =>
        it.consumer === cluster.name
          ? [...resultsInConsumer(expected, it), ...resultsOfMaps(expected, it, 'consumer')]
          : [...resultsInProvider(expected, it), ...resultsOfMaps(expected, it, 'provider')],
      ),
    ];
    for (const [kind, wanted] of groupBy(results, (it) => [it.kind])) {
      yield { path: expectedFile(cluster.name, kind), cluster: cluster.name, remote: null, at: cluster.at, wanted };
    }
  }
}

/** Named as kubectl names all objects of the kind. */
const expectedFile = (cluster: string, kind: string): string =>
  `${cluster}/expected/${kind === 'Identity' ? 'identities' : `${kind.toLowerCase()}s`}.yaml`;

const partnersIn = (shares: readonly ExpectedShare[], cluster: string): readonly string[] =>
  sortedUnique(shares.map((it) => (it.consumer === cluster ? it.provider : it.consumer)));
