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
  /** The remote cluster; `null` for a file about no remote cluster. */
  readonly remote: string | null;
  /** The place in the topology that requires it. */
  readonly at: Span;
  readonly wanted: readonly WantedObject[];
}

/**
 * Every file in a folder `sharing` or `offloading` except kustomizations, by path. The layout is an intentional copy,
 * as elsewhere in verify.
 */
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

/**
 * Files with objects from git, then files with the objects that Liqo creates: one at a time, because all of them
 * together are large.
 */
export function* sharedAndResultFiles(expected: Expectation): Iterable<SharedFile> {
  yield* sharedFiles(expected);
  yield* resultFiles(expected);
}

/** The objects that Liqo creates for sharing and offloading: for each cluster, one file per kind. */
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

/** The path of an expected file, named after the plural of the kind in kubectl. */
const expectedFile = (cluster: string, kind: string): string =>
  `${cluster}/expected/${kind === 'Identity' ? 'identities' : `${kind.toLowerCase()}s`}.yaml`;

const partnersIn = (shares: readonly ExpectedShare[], cluster: string): readonly string[] =>
  sortedUnique(shares.map((it) => (it.consumer === cluster ? it.provider : it.consumer)));
