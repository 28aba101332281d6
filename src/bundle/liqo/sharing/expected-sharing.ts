import type { ExpectedFile } from '../../../base/core/bundle-path.ts';
import { by } from '../../../base/core/collections.ts';
import {
  AUTHENTICATION_API,
  IDENTITY_TYPE_LABEL,
  REMOTE_CLUSTER_LABEL,
  REMOTE_TENANT_ANNOTATION,
  RESOURCE_SLICE_LABEL,
} from '../../../base/releases/labels.ts';
import { type AddressedCluster, namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import {
  controlPlaneIdentity,
  type Share,
  type SharedModel,
  type Slice,
  sharingOf,
  sliceIdentity,
} from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
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
import { kubeconfigSecret, originalLabels, replicaLabels } from './names.ts';
import { connectedSlices, isConnected, isServed, settledSharing } from './rest-state.ts';

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

/**
 * The Identity from git with the kubeconfig that Liqo creates for it, and one that Liqo creates for each slice.
 * Certificates are left out: they are unknown before they are signed. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/identity-controller, identitycreator-controller.
 */
function expectedIdentities(borrows: readonly Share[]): readonly Manifest[] {
  const ofControlPlanes = borrows
    .filter((it) => it.auth === 'handshake' && it.key !== null && it.identity !== null)
    .map((it) => identity(it, controlPlaneIdentity(it), {}));
  const ofSlices = connectedSlices(borrows).map(([share, slice]) => ({
    ...identity(share, sliceIdentity(slice), { [RESOURCE_SLICE_LABEL]: slice.name }),
    spec: { clusterID: share.provider.name, type: 'ResourceSlice' },
  }));
  return [...ofControlPlanes, ...ofSlices];
}

const identity = ({ consumer, provider }: Share, name: string, labels: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: AUTHENTICATION_API,
  kind: 'Identity',
  metadata: {
    name,
    namespace: namespaceIn(consumer, provider.name),
    labels: { [REMOTE_CLUSTER_LABEL]: provider.name, ...labels },
  },
  status: { kubeconfigSecretRef: { name: kubeconfigSecret(name) } },
});

/**
 * The Renew objects that transport a consumer's renewed certificate, at both ends. A consumer with credentials has
 * none. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
 */
function expectedRenews(borrows: readonly Share[], lends: readonly Share[]): readonly Manifest[] {
  return [
    ...borrows.filter(isRenewed).map((it) => renew(it, namespaceIn(it.consumer, it.provider.name), originalLabels(it))),
    ...lends.filter(isRenewed).map((it) => renew(it, namespaceIn(it.provider, it.consumer.name), replicaLabels(it))),
  ];
}

const isRenewed = (share: Share): boolean =>
  share.auth === 'handshake' && isConnected(share) && share.consumer.traits.renewsCertificates;

const renew = (share: Share, namespace: string, labels: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: AUTHENTICATION_API,
  kind: 'Renew',
  metadata: { name: controlPlaneIdentity(share), namespace, labels },
  spec: { consumerClusterID: share.consumer.name, identityType: 'ControlPlane' },
});

/**
 * Secrets that must exist, with their names and labels and without content: kubeconfigs in a consumer, signed
 * certificates in a provider. A secret manager provides the kubeconfig of a consumer with credentials, with these
 * names. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/forge, pkg/identityManager.
 */
function expectedSecrets(borrows: readonly Share[], lends: readonly Share[]): readonly Manifest[] {
  return [
    ...borrows.filter(isConnected).map(controlPlaneKubeconfig),
    ...connectedSlices(borrows).map(sliceKubeconfig),
    ...lends.filter((it) => isServed(it) && it.auth === 'handshake').map((it) => certificate(it, '')),
    ...connectedSlices(lends).map(([share, slice]) => certificate(share, `-${slice.name}`)),
  ];
}

const controlPlaneKubeconfig = (share: Share): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: kubeconfigSecret(controlPlaneIdentity(share)),
    namespace: namespaceIn(share.consumer, share.provider.name),
    labels: { [IDENTITY_TYPE_LABEL]: 'ControlPlane', [REMOTE_CLUSTER_LABEL]: share.provider.name },
    annotations: { [REMOTE_TENANT_ANNOTATION]: namespaceIn(share.provider, share.consumer.name) },
  },
});

const sliceKubeconfig = ([{ consumer, provider }, slice]: readonly [Share, Slice]): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: kubeconfigSecret(sliceIdentity(slice)),
    namespace: namespaceIn(consumer, provider.name),
    labels: { [IDENTITY_TYPE_LABEL]: 'ResourceSlice', [REMOTE_CLUSTER_LABEL]: provider.name },
  },
});

const certificate = ({ consumer, provider }: Share, suffix: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: `liqo-remote-certificate${suffix}`,
    namespace: namespaceIn(provider, consumer.name),
    labels: { [REMOTE_CLUSTER_LABEL]: consumer.name },
  },
});
