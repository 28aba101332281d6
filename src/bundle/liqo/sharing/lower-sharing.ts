import { encodeBase64, utf8Bytes } from '../../../base/core/encodings.ts';
import {
  AUTHENTICATION_API,
  CREATE_VIRTUAL_NODE_ANNOTATION,
  IDENTITY_TYPE_LABEL,
  NONCE_LABEL,
  OFFLOADING_API,
  REMOTE_CLUSTER_LABEL,
  REMOTE_ID_LABEL,
  REMOTE_TENANT_ANNOTATION,
  REPLICATION_LABEL,
  RESOURCE_SLICE_LABEL,
} from '../../../base/releases/labels.ts';
import { type AddressedCluster, namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import type {
  AuthenticationKey,
  OffloadedNamespace,
  Partner,
  Share,
  Slice,
} from '../../../fleet/sharing/shared-model.ts';
import { lowerNamespace } from '../lower-peer.ts';
import { externalSecret, type Manifest } from '../manifest.ts';
import { aboutConsumer } from './names.ts';

/**
 * Every object of a cluster for its loans to and from one remote cluster, in the order of applying. The namespace is
 * included only without a link; otherwise it is part of the link's objects.
 */
export function lowerSharing(
  cluster: AddressedCluster,
  { cluster: { name: remote }, borrowed, lent }: Partner,
): readonly Manifest[] {
  return [
    cluster.peers.has(remote) ? undefined : lowerNamespace(cluster, remote),
    lent?.auth === 'handshake' && lent.key !== null ? lowerNonce(lent, lent.key) : undefined,
    ...(lent === null ? [] : [...lowerConsumerAccount(lent), lowerTenant(lent)]),
    borrowed === null ? undefined : lowerCredentials(borrowed),
    borrowed === null ? undefined : lowerIdentity(borrowed),
    ...(borrowed?.slices.map((it) => lowerResourceSlice(borrowed, it)) ?? []),
    ...(borrowed?.slices.map((it) => lowerVirtualNode(borrowed, it)) ?? []),
  ].filter((it) => it !== undefined);
}

/**
 * The consumer's Tenant in the provider. `undefined` while the consumer has no key, unless it needs none. Every field
 * that the API server would fill in is written, so that the object does not differ from git. Source:
 * liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go.
 */
function lowerTenant({ consumer, provider, key, auth, condition }: Share): Manifest | undefined {
  if (auth === 'handshake' && key === null) return undefined;
  return {
    apiVersion: AUTHENTICATION_API,
    kind: 'Tenant',
    metadata: aboutConsumer(provider, consumer),
    spec: {
      authzPolicy: auth === 'handshake' ? 'KeysExchange' : 'TolerateNoHandshake',
      clusterID: consumer.name,
      ...(auth === 'handshake' && key !== null
        ? { csr: key.request, publicKey: key.publicKey, signature: key.signature }
        : {}),
      tenantCondition: condition,
    },
  };
}

/**
 * The nonce that the consumer has signed, in the provider. It is not secret: liqoctl copies it from cluster to cluster.
 * Liqo keeps an existing one, which it finds by its labels. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/noncecreator-controller.
 */
function lowerNonce({ consumer, provider }: Share, key: AuthenticationKey): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'liqo-nonce',
      namespace: namespaceIn(provider, consumer.name),
      labels: { [NONCE_LABEL]: 'true', [REMOTE_CLUSTER_LABEL]: consumer.name },
    },
    type: 'Opaque',
    data: { nonce: encodeBase64(utf8Bytes(key.nonce)) },
  };
}

/**
 * The account in the provider for a consumer with credentials, and the rights that Liqo gives to a consumer with a
 * certificate. The consumer's kubeconfig contains a token of this account. A drained consumer gets no rights: Liqo
 * deletes them, because they have the same name as its own, and a tool would create them again. Source:
 * liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md,
 * pkg/liqo-controller-manager/authentication/tenant-controller (handleTenantDrained), pkg/tenantNamespace/bindings.go.
 */
function lowerConsumerAccount({ consumer, provider, auth, condition }: Share): readonly Manifest[] {
  if (auth === 'handshake') return [];
  const namespace = namespaceIn(provider, consumer.name);
  const name = `consumer-${consumer.name}`;
  const account: Manifest = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  if (condition === 'Drained') return [account];
  return [
    account,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: {
        name: 'liqo-binding-liqo-remote-controlplane',
        namespace,
        labels: { [REMOTE_CLUSTER_LABEL]: consumer.name },
      },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

/**
 * The provider's answer, in the consumer. `undefined` until the answer is recorded. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/forge/identity.go.
 */
function lowerIdentity({ consumer, provider, identity, auth }: Share): Manifest | undefined {
  if (identity === null || auth === 'credentials') return undefined;
  return {
    apiVersion: AUTHENTICATION_API,
    kind: 'Identity',
    metadata: {
      name: `controlplane-${provider.name}`,
      namespace: namespaceIn(consumer, provider.name),
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name },
    },
    spec: {
      authParams: {
        apiServer: identity.apiServer,
        ca: identity.ca ?? undefined,
        proxyURL: identity.proxyURL ?? undefined,
        signedCRT: identity.certificate,
      },
      clusterID: provider.name,
      namespace: namespaceIn(provider, consumer.name),
      type: 'ControlPlane',
    },
  };
}

/**
 * The reference from which a secret manager creates the kubeconfig of a consumer. Liqo finds that Secret by its labels
 * and reads the namespace in the provider from its annotation. `undefined` when the Secret is created by hand. Source: liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md,
 * pkg/utils/getters/k8sGetters.go.
 */
function lowerCredentials({ consumer, provider, credentials }: Share): Manifest | undefined {
  if (credentials === null) return undefined;
  const { store, storeKind, property } = credentials;
  const key = credentials.key.replaceAll('{consumer}', consumer.name).replaceAll('{provider}', provider.name);
  return externalSecret({
    ...{ name: `kubeconfig-controlplane-${provider.name}`, namespace: namespaceIn(consumer, provider.name) },
    ...{ store, storeKind },
    metadata: {
      labels: { [IDENTITY_TYPE_LABEL]: 'ControlPlane', [REMOTE_CLUSTER_LABEL]: provider.name },
      annotations: { [REMOTE_TENANT_ANNOTATION]: namespaceIn(provider, consumer.name) },
    },
    data: [{ secretKey: 'kubeconfig', key, property: property ?? undefined, decodingStrategy: 'None' }],
  });
}

/**
 * The consumer's request. All three labels are required: without them Liqo does not copy the slice to the provider, and
 * reports no error. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go,
 * internal/crdReplicator.
 */
export function lowerResourceSlice({ consumer, provider }: Share, slice: Slice): Manifest {
  return {
    apiVersion: AUTHENTICATION_API,
    kind: 'ResourceSlice',
    metadata: {
      name: slice.name,
      namespace: namespaceIn(consumer, provider.name),
      labels: {
        [REMOTE_CLUSTER_LABEL]: provider.name,
        [REMOTE_ID_LABEL]: provider.name,
        [REPLICATION_LABEL]: 'true',
      },
      annotations: { [CREATE_VIRTUAL_NODE_ANNOTATION]: 'true' },
    },
    spec: {
      class: slice.class,
      consumerClusterID: consumer.name,
      csr: slice.request ?? undefined,
      providerClusterID: provider.name,
      resources: Object.keys(slice.resources).length === 0 ? undefined : slice.resources,
    },
  };
}

/**
 * The consumer's settings for the virtual node of a slice. Liqo adds the rest of the object from the slice, and keeps
 * these fields; every field that both write has the value that Liqo writes. `undefined` without such settings, and
 * while the provider has not answered, because the virtual kubelet would restart until then. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/forge/virtualnode.go (MutateVirtualNode),
 * pkg/liqo-controller-manager/virtualnodecreator-controller.
 */
function lowerVirtualNode(
  { consumer, provider, auth, identity }: Share,
  { name, virtualNode }: Slice,
): Manifest | undefined {
  if (virtualNode === null || (auth === 'handshake' && identity === null)) return undefined;
  const { labels, annotations, taints, createNode, networkCheck, runtimeClass } = virtualNode;
  return {
    apiVersion: OFFLOADING_API,
    kind: 'VirtualNode',
    metadata: {
      name,
      namespace: namespaceIn(consumer, provider.name),
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name, [RESOURCE_SLICE_LABEL]: name },
    },
    spec: {
      annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
      clusterID: provider.name,
      createNode: createNode ?? undefined,
      disableNetworkCheck: networkCheck === null ? undefined : !networkCheck,
      kubeconfigSecretRef: { name: `kubeconfig-resourceslice-${name}` },
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name, ...labels },
      offloadingPatch: runtimeClass === null ? undefined : { runtimeClassName: runtimeClass },
      taints: taints.length === 0 ? undefined : taints.map(({ key, value, effect }) => ({ key, value, effect })),
    },
  };
}

/** The objects of an offloaded namespace; the first is the namespace itself, unless it is created in another way. */
export function lowerOffloading(offloaded: OffloadedNamespace): readonly Manifest[] {
  const { namespace, createNamespace } = offloaded;
  const own: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  return [...(createNamespace ? [own] : []), lowerNamespaceOffloading(offloaded)];
}

/**
 * A NamespaceOffloading. Liqo reads it only under this name. Providers are selected by their ID, which matches before
 * and after a virtual node exists. Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading,
 * pkg/utils/virtualnode/virtualnode.go.
 */
export function lowerNamespaceOffloading({
  namespace,
  providers,
  pods,
  mapping,
  remoteName,
}: OffloadedNamespace): Manifest {
  const ids = providers.map((it) => it.name);
  return {
    apiVersion: OFFLOADING_API,
    kind: 'NamespaceOffloading',
    metadata: { name: 'offloading', namespace },
    spec: {
      clusterSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: REMOTE_CLUSTER_LABEL, ...isOneOf(ids) }] }] },
      namespaceMappingStrategy: mapping,
      podOffloadingStrategy: pods,
      remoteNamespaceName: mapping === 'SelectedName' ? remoteName : undefined,
    },
  };
}

/**
 * The expression that selects clusters. Liqo copies it into the affinity of pods, and Kubernetes refuses those with an
 * empty list. A node without an ID is one of the cluster itself. Source: kubernetes/kubernetes@v1.35.0
 * pkg/apis/core/validation/validation.go (ValidateNodeSelectorRequirement).
 */
const isOneOf = (ids: readonly string[]) =>
  ids.length === 0 ? { operator: 'DoesNotExist' } : { operator: 'In', values: ids };
