import type { Expectation } from '../expectation.ts';
import type { ExpectedShare, ExpectedSlice } from '../expected/expect-shares.ts';
import { nodesOf, progressOf } from './shares.ts';
import { aboutRemote, filled, type WantedObject } from './wanted-object.ts';

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
export const answerTo = ({ resources }: ExpectedSlice, isNode: boolean) => ({
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
