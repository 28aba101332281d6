import { groupBy } from '../../../base/core/group-by.ts';
import { sortedUnique } from '../../../base/core/order.ts';
import type { Expectation } from '../expectation.ts';
import type { ExpectedShare } from '../expected/expect-shares.ts';
import { sharesOf } from './pairs-of-shares.ts';
import { resultsAboutPartner } from './results-about-partner.ts';
import { resultsInConsumer } from './results-in-consumer.ts';
import { resultsInProvider } from './results-in-provider.ts';
import { resultsOfMaps, resultsOfOffloading } from './results-of-offloading.ts';
import { type SharedFile, sharedFiles } from './shared-files.ts';

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
