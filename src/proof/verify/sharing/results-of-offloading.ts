import type { Expectation } from '../expectation.ts';
import type { ExpectedOffloading, ExpectedShare } from '../expected/expect-shares.ts';
import { copied } from './results-in-consumer.ts';
import { copyOf } from './results-in-provider.ts';
import { nodesOf, progressOf, sharesOf } from './shares.ts';
import { aboutRemote, type WantedObject } from './wanted-object.ts';
import { wantedOfOffloading } from './wanted-of-share.ts';

const OFFLOADING = 'offloading.liqo.io/v1beta1';
const RBAC = 'rbac.authorization.k8s.io';

/** The objects that Liqo creates in a cluster for the namespaces that it offloads. */
export function resultsOfOffloading(expected: Expectation, cluster: string): readonly WantedObject[] {
  const borrowed = sharesOf(expected.shares, cluster).filter((it) => it.consumer === cluster);
  const withNodes = new Set(borrowed.filter((it) => nodesOf(it).length > 0).map((it) => it.provider));
  return expected.offloadings
    .filter((it) => it.cluster === cluster)
    .flatMap((it) => {
      const label = { name: it.namespace, labels: { 'liqo.io/scheduling-enabled': 'true' } };
      const namespace: WantedObject = { apiVersion: 'v1', kind: 'Namespace', metadata: label };
      return [...(it.pods === 'Local' ? [] : [namespace]), withStatus(it, borrowed, withNodes)];
    });
}

/**
 * A NamespaceOffloading with its expected status. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go.
 */
function withStatus(
  it: ExpectedOffloading,
  borrowed: readonly ExpectedShare[],
  withNodes: ReadonlySet<string>,
): WantedObject {
  const selected = new Set(it.providers);
  // The cluster may still have virtual nodes from before, which other clusters answer, or with a key that is not in
  // git.
  const isOpen = borrowed.some((share) => selected.has(share.provider) && !withNodes.has(share.provider));
  const isReady = it.providers.some((provider) => withNodes.has(provider));
  const conditions = [...withNodes].map((provider) => [provider, conditionsOf(selected.has(provider))]);
  const [offloading] = wantedOfOffloading({ ...it, createNamespace: false });
  if (!offloading) throw new RangeError('a namespace is offloaded without a NamespaceOffloading');
  return {
    ...offloading,
    status: {
      offloadingPhase: isOpen ? undefined : isReady ? 'Ready' : 'NoClusterSelected',
      remoteNamespaceName: it.remoteName ?? `${it.namespace}-${it.cluster}`,
      remoteNamespacesConditions: conditions.length > 0 ? Object.fromEntries(conditions) : undefined,
    },
  };
}

const conditionsOf = (isSelected: boolean) =>
  isSelected
    ? [
        { reason: 'ClusterSelected', status: 'True', type: 'OffloadingRequired' },
        { reason: 'NamespaceCreated', status: 'True', type: 'Ready' },
      ]
    : [{ reason: 'ClusterNotSelected', status: 'False', type: 'OffloadingRequired' }];

/** The objects that Liqo creates for the offloaded namespaces of one pair, in the consumer or in the provider. */
export function resultsOfMaps(
  expected: Expectation,
  share: ExpectedShare,
  end: 'consumer' | 'provider',
): readonly WantedObject[] {
  if (progressOf(share) !== 'connected' || nodesOf(share).length === 0) return [];
  const { consumer, provider } = share;
  const namespaces = expected.offloadings
    .filter((it) => it.cluster === consumer && it.providers.includes(provider))
    .map((it) => [it.namespace, it.remoteName ?? `${it.namespace}-${consumer}`] as const);
  const statuses = namespaces.map(([name, remoteNamespace]) => [name, { phase: 'Accepted', remoteNamespace }]);
  const isConsumer = end === 'consumer';
  const map: WantedObject = {
    apiVersion: OFFLOADING,
    kind: 'NamespaceMap',
    metadata: {
      name: provider,
      namespace: isConsumer ? share.namespaceOfProvider : share.namespaceOfConsumer,
      labels: isConsumer ? copied(provider) : copyOf(share),
    },
    spec: namespaces.length > 0 ? { desiredMapping: Object.fromEntries(namespaces) } : undefined,
    status: namespaces.length > 0 ? { currentMapping: Object.fromEntries(statuses) } : undefined,
  };
  return isConsumer ? [map] : [map, ...namespaces.flatMap((it) => remoteNamespace(share, it))];
}

function remoteNamespace(
  { consumer, provider, namespaceOfConsumer }: ExpectedShare,
  [original, name]: readonly [string, string],
): readonly WantedObject[] {
  const labels = aboutRemote(consumer);
  const owner = { 'liqo.io/managed-by-namespace-map': `${namespaceOfConsumer}/${provider}` };
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels, annotations: { ...owner, 'liqo.io/original-name': original } },
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name: namespaceOfConsumer,
        namespace: name,
        labels: { ...labels, 'app.kubernetes.io/managed-by': 'liqo' },
        annotations: owner,
      },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-virtual-kubelet-remote' },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: consumer }],
    },
  ];
}
