import { encodeBase64, utf8Bytes } from '../../../base/core/encodings.ts';
import type { Part } from '../checks/bundle-check.ts';
import type { ExpectedOffloading, ExpectedShare, ExpectedSlice } from '../expected/expect-shares.ts';
import { usualNamespace } from '../expected/names-of-end.ts';

/** An object that a file must contain. */
export interface WantedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: Part;
}

const REMOTE = 'liqo.io/remote-cluster-id';

/** The label by which Liqo finds nearly everything. */
export const aboutRemote = (remote: string): Readonly<Record<string, string>> => ({ [REMOTE]: remote });

/** Annotations of objects that no tool may delete. */
const KEPT: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** A namespace that also contains other objects, so that no tool may delete it. */
const keptNamespace = (name: string, labels?: Readonly<Record<string, string>>): WantedObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    ...(labels ? { labels } : {}),
    annotations: KEPT,
  },
});

/** The map; `undefined` for an empty one, which is not written. */
export const filled = (map: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined =>
  Object.keys(map).length > 0 ? map : undefined;

const AUTHENTICATION = 'authentication.liqo.io/v1beta1';
const RBAC = 'rbac.authorization.k8s.io';

/** The namespace for a remote cluster without a link; otherwise it is part of the link's objects. */
export const wantedNamespace = (remote: string): WantedObject =>
  keptNamespace(usualNamespace(remote), {
    ...aboutRemote(remote),
    'liqo.io/tenant-namespace': 'true',
    'pod-security.kubernetes.io/audit': 'privileged',
    'pod-security.kubernetes.io/enforce': 'privileged',
    'pod-security.kubernetes.io/warn': 'privileged',
  });

/**
 * The objects in a provider for a consumer. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go,
 * pkg/liqo-controller-manager/authentication/noncecreator-controller, docs/advanced/peering/peering-via-cr.md.
 */
export function wantedInProvider(share: ExpectedShare): readonly WantedObject[] {
  const { consumer, auth, condition, key, namespaceOfConsumer: namespace } = share;
  const about = { name: consumer, namespace, labels: aboutRemote(consumer) };
  if (auth === 'credentials') {
    const spec = { authzPolicy: 'TolerateNoHandshake', clusterID: consumer, tenantCondition: condition };
    return [...wantedAccount(share), { apiVersion: AUTHENTICATION, kind: 'Tenant', metadata: about, spec }];
  }
  if (key === null) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'liqo-nonce', namespace, labels: { ...aboutRemote(consumer), 'liqo.io/nonce': 'true' } },
      type: 'Opaque',
      data: { nonce: encodeBase64(utf8Bytes(key.nonce)) },
    },
    {
      apiVersion: AUTHENTICATION,
      kind: 'Tenant',
      metadata: about,
      spec: {
        authzPolicy: 'KeysExchange',
        clusterID: consumer,
        csr: key.request,
        publicKey: key.publicKey,
        signature: key.signature,
        tenantCondition: condition,
      },
    },
  ];
}

/** The account of a consumer. A drained consumer has no rights: Liqo removes them by the name of the binding. */
function wantedAccount({
  consumer,
  condition,
  namespaceOfConsumer: namespace,
}: ExpectedShare): readonly WantedObject[] {
  const account = { name: `consumer-${consumer}`, namespace };
  const withoutRights: WantedObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account };
  if (condition === 'Drained') return [withoutRights];
  return [
    withoutRights,
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name: 'liqo-binding-liqo-remote-controlplane',
        namespace: account.namespace,
        labels: aboutRemote(consumer),
      },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ];
}

/**
 * The objects in a consumer for a provider. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1
 * (identity_types.go, resourceslice_types.go), internal/crdReplicator, which copies a slice only when it has all three
 * labels.
 */
export function wantedInConsumer(share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, auth, answer, slices, namespaceOfConsumer, namespaceOfProvider: namespace } = share;
  const labels = aboutRemote(provider);
  const wanted: WantedObject[] = [...wantedCredentials(share)];
  if (auth === 'handshake' && answer !== null) {
    const { apiServer, ca, certificate, proxyURL } = answer;
    const authParams = { apiServer, ca: ca ?? undefined, proxyURL: proxyURL ?? undefined, signedCRT: certificate };
    wanted.push({
      apiVersion: AUTHENTICATION,
      kind: 'Identity',
      metadata: { name: `controlplane-${provider}`, namespace, labels },
      spec: { authParams, clusterID: provider, namespace: namespaceOfConsumer, type: 'ControlPlane' },
    });
  }
  for (const it of slices) {
    wanted.push({
      apiVersion: AUTHENTICATION,
      kind: 'ResourceSlice',
      metadata: {
        name: it.name,
        namespace,
        labels: { ...labels, 'liqo.io/remoteID': provider, 'liqo.io/replication': 'true' },
        annotations: { 'liqo.io/create-virtual-node': 'true' },
      },
      spec: {
        class: it.class,
        consumerClusterID: consumer,
        csr: it.request ?? undefined,
        providerClusterID: provider,
        resources: filled(it.resources),
      },
    });
  }
  // Without an answer there is no certificate, and a virtual kubelet would restart until there is one.
  if (auth === 'handshake' && answer === null) return wanted;
  return [...wanted, ...slices.flatMap((it) => wantedVirtualNode(share, it))];
}

/**
 * The reference from which the kubeconfig of a consumer is made, in the form in which Liqo finds it.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go; external-secrets/external-secrets@v0.17.0
 * apis/externalsecrets/v1.
 */
function wantedCredentials(share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, credentials, namespaceOfConsumer, namespaceOfProvider: namespace } = share;
  if (credentials === null) return [];
  const name = `kubeconfig-controlplane-${provider}`;
  const key = credentials.key.split('{consumer}').join(consumer).split('{provider}').join(provider);
  const labels = { ...aboutRemote(provider), 'liqo.io/identity-type': 'ControlPlane' };
  const annotations = { 'liqo.io/remote-tenant-namespace': namespaceOfConsumer };
  const where = credentials.property === null ? { key } : { key, property: credentials.property };
  const remoteRef = { ...where, conversionStrategy: 'Default', decodingStrategy: 'None', metadataPolicy: 'None' };
  return [
    {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name, namespace },
      spec: {
        data: [{ remoteRef, secretKey: 'kubeconfig' }],
        refreshInterval: '1h0m0s',
        refreshPolicy: 'Periodic',
        secretStoreRef: { kind: credentials.storeKind, name: credentials.store },
        target: {
          creationPolicy: 'Owner',
          deletionPolicy: 'Retain',
          name,
          template: {
            engineVersion: 'v2',
            mergePolicy: 'Replace',
            metadata: { annotations, labels },
            type: 'Opaque',
          },
        },
      },
    },
  ];
}

/**
 * The settings of a virtual node; Liqo adds the rest from the slice. Empty without settings. No tool deletes the
 * object: Liqo deletes it with the slice. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/virtualnodecreator-controller, pkg/.../offloading/forge/virtualnode.go.
 */
function wantedVirtualNode(share: ExpectedShare, { name, virtualNode }: ExpectedSlice): readonly WantedObject[] {
  const { provider, namespaceOfProvider: namespace } = share;
  if (virtualNode === null) return [];
  const { labels, annotations, taints, createNode, networkCheck, runtimeClass } = virtualNode;
  const spec: Record<string, Part> = {
    clusterID: provider,
    kubeconfigSecretRef: { name: `kubeconfig-resourceslice-${name}` },
    labels: { ...labels, ...aboutRemote(provider) },
  };
  if (Object.keys(annotations).length > 0) spec['annotations'] = annotations;
  if (taints.length > 0) spec['taints'] = taints.map((it) => ({ ...it }));
  if (createNode !== null) spec['createNode'] = createNode;
  if (networkCheck !== null) spec['disableNetworkCheck'] = !networkCheck;
  if (runtimeClass !== null) spec['offloadingPatch'] = { runtimeClassName: runtimeClass };
  const metadata = {
    name,
    namespace,
    labels: { ...aboutRemote(provider), 'liqo.io/resourceslice-name': name },
    annotations: KEPT,
  };
  return [{ apiVersion: 'offloading.liqo.io/v1beta1', kind: 'VirtualNode', metadata, spec }];
}

/**
 * The objects of an offloaded namespace. Liqo reads a NamespaceOffloading under one name only.
 * Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading, apis/offloading/v1beta1/namespaceoffloading_types.go.
 */
export function wantedOfOffloading(it: ExpectedOffloading): readonly WantedObject[] {
  const isSame = it.remoteName === it.namespace;
  const mapping = it.remoteName === null ? 'DefaultName' : isSame ? 'EnforceSameName' : 'SelectedName';
  // Kubernetes rejects pods with an empty list, and Liqo copies the expression to the pods.
  const among = it.providers.length > 0 ? { operator: 'In', values: [...it.providers] } : { operator: 'DoesNotExist' };
  const offloading: WantedObject = {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'NamespaceOffloading',
    metadata: { name: 'offloading', namespace: it.namespace },
    spec: {
      clusterSelector: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'liqo.io/remote-cluster-id', ...among }] }],
      },
      namespaceMappingStrategy: mapping,
      podOffloadingStrategy: it.pods,
      remoteNamespaceName: mapping === 'SelectedName' ? (it.remoteName ?? undefined) : undefined,
    },
  };
  return [...(it.createNamespace ? [keptNamespace(it.namespace)] : []), offloading];
}
