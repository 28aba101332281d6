import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The topology names the repository that contains the bundles: without it no entry points for GitOps tools are written. */
export const gitopsNamesARepository: TopologyRule = function* ({ gitops, name }) {
  if (gitops) return;
  yield diagnostic('topology/no-gitops-repository', name.at, 'no entry points for Argo CD and Flux are written', {
    hint: 'set `gitops.repository` to the URL of the repository that contains `out/`',
  });
};

/** Each bundle is applied to a cluster of its own, since two would give it two gateways for one peer. */
export const bundlesHaveTheirOwnDestination: TopologyRule = function* ({ clusters, gitops }) {
  if (!gitops) return;
  const live = clusters.filter((it) => !it.retired);
  yield* twice(live, 'gitops.name', (it) => (it.gitops.server === null ? it.gitops.name : null));
  yield* twice(live, 'gitops.server', (it) => it.gitops.server);
  yield* twice(live, 'gitops.kubeConfigSecret', (it) => it.gitops.kubeConfigSecret);
};

function* twice(
  clusters: readonly ClusterDeclaration[],
  key: string,
  destinationOf: (cluster: ClusterDeclaration) => string | null,
): Iterable<Diagnostic> {
  const first = new Map<string, ClusterDeclaration>();
  for (const cluster of clusters) {
    const value = destinationOf(cluster);
    if (value === null) continue;
    const earlier = first.get(value);
    if (!earlier) first.set(value, cluster);
    else {
      yield diagnostic(
        'topology/wrong-value',
        cluster.at,
        `"${earlier.name}" and "${cluster.name}" have the same \`${key}\`, "${value}", so both bundles would be applied to one cluster`,
        {
          hint: `give each cluster a \`${key}\` of its own`,
          related: [{ message: `"${earlier.name}" is declared here`, span: earlier.at }],
        },
      );
    }
  }
}
