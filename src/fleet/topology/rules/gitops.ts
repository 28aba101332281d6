import { groupBy } from '../../../base/core/collections.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import { sameServer } from '../formats/repositories-and-servers.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The topology names the repository that contains the bundles: without it no entry points for GitOps tools are written. */
export const gitopsNamesARepository: TopologyRule = function* ({ gitops, name }) {
  if (gitops) return;
  yield diagnostic('topology/no-gitops-repository', name.at, 'no entry points for Argo CD and Flux are written', {
    hint: 'set `gitops.repository` to the URL of the repository that contains `out/`',
  });
};

/**
 * Each bundle is applied to a cluster of its own, since two would give it two gateways for one peer. Destinations are
 * compared by what they reach, not by their texts.
 */
export const bundlesHaveTheirOwnDestination: TopologyRule = function* ({ clusters, gitops }) {
  if (!gitops) return;
  const live = clusters.filter((it) => !it.retired);
  const destinations = live.map((cluster) => ({ cluster, ...destinationOf(cluster) }));
  yield* twice(destinations);
  yield* twice(
    live.flatMap((cluster) => {
      const value = cluster.gitops.kubeConfigSecret;
      return value === null ? [] : [{ cluster, id: value, key: 'gitops.kubeConfigSecret', value }];
    }),
  );
  const servers = new Map(live.flatMap((it) => (it.apiServer ? [[sameServer(it.apiServer.url), it] as const] : [])));
  for (const { cluster, id, value } of destinations) {
    const other = servers.get(id);
    if (other === undefined || other === cluster) continue;
    yield diagnostic(
      'topology/wrong-value',
      cluster.at,
      `\`gitops.server\` of "${cluster.name}", "${value}", is the API server of "${other.name}", so its bundle would be applied there`,
      {
        hint: `set \`gitops.server\` to the API server of "${cluster.name}"`,
        related: [{ message: `the API server of "${other.name}"`, span: other.apiServer?.address.at ?? other.at }],
      },
    );
  }
};

/** An API server is one cluster's: with two names for it, each would be given networks and gateways of its own there. */
export const apiServersAreOfOneCluster: TopologyRule = function* ({ clusters }) {
  const served = clusters.flatMap(({ retired, apiServer, name }) =>
    retired || !apiServer ? [] : [{ name, ...apiServer }],
  );
  for (const same of groupBy(served, (it) => [sameServer(it.url)]).values()) {
    const [first, second] = same;
    if (first === undefined || second === undefined) continue;
    yield diagnostic(
      'topology/wrong-value',
      second.address.at,
      `${firstOf(
        same.map((it) => quoted(it.name)),
        SHOWN,
      )} have the same API server, "${second.address.value}", which is one cluster's`,
      {
        hint: 'set `apiServer` of each cluster to its own API server',
        related: [{ message: `the API server of "${first.name}"`, span: first.address.at }],
      },
    );
  }
};

/** The most clusters that a message names. */
const SHOWN = 5;

interface Destination {
  /** Equal for destinations that are one cluster. */
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

function destinationOf({ gitops: { name, server } }: ClusterDeclaration): Destination {
  return server === null
    ? { id: name, key: 'gitops.name', value: name }
    : { id: sameServer(server), key: 'gitops.server', value: server };
}

function* twice(
  destinations: readonly (Destination & { readonly cluster: ClusterDeclaration })[],
): Iterable<Diagnostic> {
  const first = new Map<string, Destination & { readonly cluster: ClusterDeclaration }>();
  for (const it of destinations) {
    const earlier = first.get(it.id);
    if (!earlier) first.set(it.id, it);
    else {
      const isSame = earlier.key === it.key && earlier.value === it.value;
      const what = isSame
        ? `have the same \`${it.key}\`, "${it.value}"`
        : `are one destination, "${earlier.value}" and "${it.value}"`;
      yield diagnostic(
        'topology/wrong-value',
        it.cluster.at,
        `"${earlier.cluster.name}" and "${it.cluster.name}" ${what}, so both bundles would be applied to one cluster`,
        {
          hint: `give each cluster a \`${it.key}\` of its own`,
          related: [{ message: `"${earlier.cluster.name}" is declared here`, span: earlier.cluster.at }],
        },
      );
    }
  }
}
