import type { ExpectedFile } from '../../../base/core/bundle-path.ts';
import { by } from '../../../base/core/order.ts';
import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import { type SharedModel, sharingOf } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { controlPlaneBindings, metricsBindings, remoteNamespaceBindings } from './expected-bindings.ts';
import { expectedForeignClusters } from './expected-foreign-clusters.ts';
import { expectedIdentities } from './expected-identities.ts';
import { expectedNamespaceMaps } from './expected-namespace-maps.ts';
import { expectedNamespaceOffloadings } from './expected-namespace-offloadings.ts';
import { expectedNamespaces } from './expected-namespaces.ts';
import { expectedQuotas } from './expected-quotas.ts';
import { expectedRenews } from './expected-renews.ts';
import { expectedResourceSlices } from './expected-resource-slices.ts';
import { expectedSecrets } from './expected-secrets.ts';
import { expectedTenants } from './expected-tenants.ts';
import { expectedDeployments, expectedServiceAccounts, virtualKubeletBindings } from './expected-virtual-kubelets.ts';
import { expectedVirtualNodes } from './expected-virtual-nodes.ts';
import { remoteNamespaces } from './remote-namespaces.ts';
import { settledSharing } from './rest-state.ts';

/**
 * Every object that Liqo makes of what a cluster borrows, lends and offloads, or writes a status into, once nothing moves any
 * more. Of each kind by namespace and name: two branches that add shares add them in different places.
 */
export function expectedSharing(
  cluster: AddressedCluster,
  model: SharedModel,
): readonly (readonly [ExpectedFile, readonly Manifest[]])[] {
  if (!model.sharing.has(cluster.name)) return [];
  const { borrows, lends } = settledSharing(cluster, model);
  const { borrows: all, offloads, partners } = sharingOf(model, cluster.name);
  const lent = remoteNamespaces(lends, model);
  const files: readonly (readonly [ExpectedFile, readonly Manifest[]])[] = [
    ['clusterrolebindings', [...virtualKubeletBindings(borrows), ...metricsBindings(lends)]],
    ['deployments', expectedDeployments(borrows)],
    ['foreignclusters', expectedForeignClusters(cluster, partners)],
    ['identities', expectedIdentities(borrows)],
    ['namespacemaps', expectedNamespaceMaps(borrows, lends, model)],
    ['namespaceoffloadings', expectedNamespaceOffloadings(offloads, { all, settled: borrows })],
    ['namespaces', expectedNamespaces(offloads, lent)],
    ['quotas', expectedQuotas(lends)],
    ['renews', expectedRenews(borrows, lends)],
    ['resourceslices', expectedResourceSlices(borrows, lends)],
    ['rolebindings', [...controlPlaneBindings(lends), ...remoteNamespaceBindings(lent)]],
    ['secrets', expectedSecrets(borrows, lends)],
    ['serviceaccounts', expectedServiceAccounts(borrows)],
    ['tenants', expectedTenants(lends)],
    ['virtualnodes', expectedVirtualNodes(borrows)],
  ];
  return files.map(([file, manifests]) => [file, [...manifests].sort(by(placeOf))] as const);
}

const placeOf = ({ metadata: { namespace = '', name } }: Manifest): string => `${namespace}\0${name}`;
