import type { Expectation } from '../expectation.ts';
import { type ExpectedShare, type ExpectedSlice, nodesOf, progressOf } from '../expected/expect-shares.ts';
import { sliceSubject } from './prove-key.ts';
import { aboutRemote, filled, type WantedObject } from './wanted-objects.ts';

const AUTHENTICATION = 'authentication.liqo.io/v1beta1';
const RBAC = 'rbac.authorization.k8s.io';
const ACCEPTED = 'Accepted';

/** The objects that Liqo creates in a consumer. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager. */
export function resultsInConsumer(expected: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const { provider, consumer, auth, answer, namespaceOfConsumer, namespaceOfProvider: namespace } = share;
  const progress = progressOf(share);
  if (progress !== 'connected') return [];
  const labels = aboutRemote(provider);
  const name = `controlplane-${provider}`;
  const about = { name, namespace, labels };
  const renews = expected.clusters.get(consumer)?.traits.renewsCertificates === true;
  const nodes = nodesOf(share);
  return [
    ...(auth === 'handshake' && answer
      ? [{ apiVersion: AUTHENTICATION, kind: 'Identity', metadata: about, status: kubeconfigOf(name) }]
      : []),
    ...(auth === 'handshake' && renews
      ? [
          {
            apiVersion: AUTHENTICATION,
            kind: 'Renew',
            metadata: { name, namespace, labels: copied(provider) },
            spec: { consumerClusterID: consumer, identityType: 'ControlPlane' },
          },
        ]
      : []),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: `kubeconfig-${name}`,
        namespace,
        labels: { ...labels, 'liqo.io/identity-type': 'ControlPlane' },
        annotations: { 'liqo.io/remote-tenant-namespace': namespaceOfConsumer },
      },
    },
    ...share.slices.flatMap((it) => sliceObjects(share, it, nodes.includes(it))),
    ...nodes.flatMap((it) => virtualNodeObjects(share, it)),
  ];
}

const kubeconfigOf = (identity: string) => ({ kubeconfigSecretRef: { name: `kubeconfig-${identity}` } });

/** The labels of objects that are copied to a provider. */
export const copied = (provider: string): Readonly<Record<string, string>> => ({
  ...aboutRemote(provider),
  'liqo.io/remoteID': provider,
  'liqo.io/replication': 'true',
});

/** The status that the provider sets on a slice. */
const answerTo = ({ resources }: ExpectedSlice, isNode: boolean) => ({
  conditions: ['Authentication', ...(isNode ? ['Resources'] : [])].map((type) => ({ status: ACCEPTED, type })),
  resources: isNode ? filled(resources) : undefined,
});

function sliceObjects(share: ExpectedShare, slice: ExpectedSlice, isNode: boolean): readonly WantedObject[] {
  const { provider, namespaceOfProvider: namespace } = share;
  const name = `resourceslice-${slice.name}`;
  const labels = aboutRemote(provider);
  return [
    {
      apiVersion: AUTHENTICATION,
      kind: 'ResourceSlice',
      metadata: { name: slice.name, namespace, labels: copied(provider) },
      status: answerTo(slice, isNode),
    },
    {
      apiVersion: AUTHENTICATION,
      kind: 'Identity',
      metadata: { name, namespace, labels: { ...labels, 'liqo.io/resourceslice-name': slice.name } },
      spec: { clusterID: provider, type: 'ResourceSlice' },
      status: kubeconfigOf(name),
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: `kubeconfig-${name}`,
        namespace,
        labels: { ...labels, 'liqo.io/identity-type': 'ResourceSlice' },
      },
    },
  ];
}

function virtualNodeObjects(
  share: ExpectedShare,
  { name, resources, virtualNode }: ExpectedSlice,
): readonly WantedObject[] {
  const { provider, namespaceOfProvider: namespace } = share;
  const labels = aboutRemote(provider);
  const conditions = virtualNode?.createNode === false ? ['VirtualKubelet'] : ['Node', 'VirtualKubelet'];
  const ofKubelet = { ...labels, 'liqo.io/virtual-node': name, 'offloading.liqo.io/component': 'virtual-kubelet' };
  return [
    {
      apiVersion: 'offloading.liqo.io/v1beta1',
      kind: 'VirtualNode',
      metadata: { name, namespace, labels: { ...labels, 'liqo.io/resourceslice-name': name } },
      spec: {
        clusterID: provider,
        kubeconfigSecretRef: { name: `kubeconfig-resourceslice-${name}` },
        labels,
        resourceQuota: filled(resources) && { hard: resources },
      },
      status: { conditions: conditions.map((type) => ({ status: 'Running', type })) },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `vk-${name}`, namespace, labels: ofKubelet },
      spec: {
        selector: { matchLabels: ofKubelet },
        template: { metadata: { labels: ofKubelet }, spec: { serviceAccountName: name } },
      },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: `liqo-node-${name}`, labels: { ...labels, 'app.kubernetes.io/managed-by': 'liqo' } },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-virtual-kubelet-local' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

/** The objects that Liqo creates in a provider. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager. */
export function resultsInProvider(expected: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const progress = progressOf(share);
  if (progress === 'drained' || progress === 'waits') return [];
  const copies = progress === 'connected' ? copiesOf(expected, share) : [];
  return [...rights(expected, share), ...copies];
}

/** The objects that Liqo creates for a Tenant at once. */
function rights({ clusters }: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, auth, answer, namespaceOfConsumer: namespace } = share;
  const labels = aboutRemote(consumer);
  const isHandshake = auth === 'handshake';
  const authParams = isHandshake && answer ? { apiServer: answer.apiServer } : undefined;
  const bindsAll = clusters.get(provider)?.traits.bindsConsumersWithCredentials === true;
  const tenant = {
    apiVersion: AUTHENTICATION,
    kind: 'Tenant',
    metadata: { name: consumer, namespace, labels },
    status: { authParams, tenantNamespace: namespace },
  };
  const certificate = certificateSecret(share, 'liqo-remote-certificate');
  return [
    tenant,
    ...(isHandshake ? [certificate, binding(share, 'liqo-remote-controlplane', 'User')] : []),
    ...(isHandshake || bindsAll ? [binding(share, 'liqo-virtual-kubelet-remote-clusterwide', 'Group')] : []),
  ];
}

function binding(share: ExpectedShare, role: string, kind: 'User' | 'Group'): WantedObject {
  const { consumer, namespaceOfConsumer: namespace } = share;
  const isForAll = kind === 'Group';
  const labels = { ...aboutRemote(consumer), 'app.kubernetes.io/managed-by': 'liqo' };
  return {
    apiVersion: `${RBAC}/v1`,
    kind: isForAll ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: isForAll
      ? { name: `liqo-binding-${role}-${consumer}`, labels }
      : { name: `liqo-binding-${role}`, namespace, labels },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, kind, name: consumer }],
  };
}

const certificateSecret = (
  { consumer, namespaceOfConsumer: namespace }: ExpectedShare,
  name: string,
): WantedObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: aboutRemote(consumer) },
});

/** The labels of objects that were copied from a consumer. */
export const copyOf = ({ consumer, provider }: ExpectedShare): Readonly<Record<string, string>> => ({
  ...aboutRemote(consumer),
  'liqo.io/originID': consumer,
  'liqo.io/remoteID': provider,
  'liqo.io/replicated': 'true',
  'liqo.io/replication': 'false',
});

function copiesOf(expected: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, auth, namespaceOfConsumer: namespace } = share;
  const nodes = nodesOf(share);
  const renews = expected.clusters.get(consumer)?.traits.renewsCertificates === true;
  const renew = {
    apiVersion: AUTHENTICATION,
    kind: 'Renew',
    metadata: { name: `controlplane-${provider}`, namespace, labels: copyOf(share) },
    spec: { consumerClusterID: consumer, identityType: 'ControlPlane' },
  };
  const ofSlices = share.slices.flatMap((it): readonly WantedObject[] => [
    certificateSecret(share, `liqo-remote-certificate-${it.name}`),
    {
      apiVersion: AUTHENTICATION,
      kind: 'ResourceSlice',
      metadata: { name: it.name, namespace, labels: copyOf(share) },
      spec: {
        class: it.class,
        consumerClusterID: consumer,
        csr: it.request ?? undefined,
        providerClusterID: provider,
        resources: filled(it.resources),
      },
      status: answerTo(it, nodes.includes(it)),
    },
  ]);
  const quotas = nodes.map((it): WantedObject => {
    const user = sliceSubject(consumer, it.name).commonName;
    return {
      apiVersion: 'offloading.liqo.io/v1beta1',
      kind: 'Quota',
      metadata: { name: user, namespace },
      spec: { resources: it.resources, user },
    };
  });
  return [...(auth === 'handshake' && renews ? [renew] : []), ...ofSlices, ...quotas];
}
