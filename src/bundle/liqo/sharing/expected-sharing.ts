import type { ExpectedFile } from '../../../base/core/bundle-path.ts';
import { by } from '../../../base/core/collections.ts';
import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import { type SharedModel, sharingOf } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { expectedIdentities, expectedRenews, expectedSecrets } from './expected-identities.ts';
import {
  expectedNamespaceMaps,
  expectedNamespaceOffloadings,
  expectedNamespaces,
  remoteNamespaces,
} from './expected-namespaces.ts';
import {
  expectedDeployments,
  expectedQuotas,
  expectedResourceSlices,
  expectedServiceAccounts,
  expectedVirtualNodes,
  virtualKubeletBindings,
} from './expected-slices.ts';
import {
  controlPlaneBindings,
  expectedForeignClusters,
  expectedTenants,
  metricsBindings,
  remoteNamespaceBindings,
} from './expected-tenants.ts';
import { settledSharing } from './rest-state.ts';

/**
 * Every object that Liqo creates for a cluster's loans and offloaded namespaces, or whose status it writes, in the
 * final state. Objects of a kind are sorted by namespace and name, so that two branches that add shares add lines at
 * different places.
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
