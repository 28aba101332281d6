import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Two bundles applied to one cluster would give it two gateways for one peer; and they lie inside the repository. */
export const bundlesHaveTheirOwnDestination: TopologyRule = function* ({ clusters, gitops, name }) {
  if (!gitops) return;
  const live = clusters.filter((it) => !it.retired);
  yield* twice(live, 'gitops.name', (it) => (it.gitops.server === null ? it.gitops.name : null));
  yield* twice(live, 'gitops.server', (it) => it.gitops.server);
  yield* twice(live, 'gitops.kubeConfigSecret', (it) => it.gitops.kubeConfigSecret);
  if (gitops.path.split('/').includes('..')) {
    yield diagnostic('topology/wrong-value', name.at, `\`gitops.path\` "${gitops.path}" leads out of the repository`, {
      hint: 'give the folder of the bundles as seen from the root of the repository, like out',
    });
  }
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
        `"${earlier.name}" and "${cluster.name}" have the same \`${key}\`, "${value}", so both bundles would go to one cluster`,
        {
          hint: `give each cluster a \`${key}\` of its own`,
          related: [{ message: `"${earlier.name}" stands here`, span: earlier.at }],
        },
      );
    }
  }
}
