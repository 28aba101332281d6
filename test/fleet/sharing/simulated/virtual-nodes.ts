import { userOf } from './authentication.ts';
import {
  AUTHENTICATION,
  condition,
  conditionOf,
  type Fields,
  OFFLOADING,
  RBAC,
  REMOTE,
  type Simulated,
  type SimulatedCluster,
} from './simulated-cluster.ts';

/**
 * The objects that follow from an answered slice. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager:
 * quotacreator-controller, authentication/identitycreator-controller, virtualnodecreator-controller,
 * offloading/virtualnode-controller.
 */

const isAccepted = (it: Simulated, type: string): boolean => conditionOf(it, type) === 'Accepted';

/** In a provider: what the slice may use. */
export function makeQuotas(cluster: SimulatedCluster): void {
  for (const slice of cluster.list('ResourceSlice', { 'liqo.io/replicated': 'true' })) {
    if (!isAccepted(slice, 'Resources')) continue;
    const user = userOf(slice.metadata.name, slice.metadata.labels?.['liqo.io/originID'] ?? '');
    cluster.make({
      apiVersion: OFFLOADING,
      kind: 'Quota',
      metadata: { name: user, namespace: slice.metadata.namespace ?? '' },
      spec: { user, limitsEnforcement: 'None', resources: slice.status?.['resources'] },
    });
  }
}

/** In a consumer: an Identity of each slice, then a node of it. */
export function makeVirtualNodes(cluster: SimulatedCluster): void {
  const own = cluster.list('ResourceSlice').filter((it) => it.metadata.labels?.['liqo.io/replicated'] === undefined);
  for (const slice of own.filter((it) => isAccepted(it, 'Authentication'))) {
    const { name, namespace = '' } = slice.metadata;
    const provider = String(slice.spec?.['providerClusterID']);
    const labels = { [REMOTE]: provider, 'liqo.io/resourceslice-name': name };
    cluster.make({
      apiVersion: AUTHENTICATION,
      kind: 'Identity',
      metadata: { name: `resourceslice-${name}`, namespace, labels },
      spec: { clusterID: provider, type: 'ResourceSlice', authParams: slice.status?.['authParams'] },
    });
    const identity = cluster.find('Identity', namespace, `resourceslice-${name}`);
    const isWanted =
      ['', 'false'].includes(slice.metadata.annotations?.['liqo.io/create-virtual-node'] ?? '') === false;
    if (!isAccepted(slice, 'Resources') || !isWanted || identity?.status === undefined) continue;
    cluster.make({
      apiVersion: OFFLOADING,
      kind: 'VirtualNode',
      metadata: { name, namespace, labels },
      spec: {
        clusterID: provider,
        createNode: true,
        disableNetworkCheck: false,
        kubeconfigSecretRef: identity.status['kubeconfigSecretRef'],
        labels: { [REMOTE]: provider },
        offloadingPatch: {},
        resourceQuota: { hard: slice.status?.['resources'] },
        template: { spec: { replicas: 1 } },
      },
    });
  }
}

/** In a consumer: what runs a node, and the map of namespaces that all nodes of one provider share. */
export function runVirtualNodes(cluster: SimulatedCluster): void {
  for (const node of cluster.list('VirtualNode')) {
    const { name, namespace = '' } = node.metadata;
    const provider = String(node.spec?.['clusterID']);
    cluster.make({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
    cluster.make({
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      metadata: {
        name: `liqo-node-${name}`,
        labels: { 'app.kubernetes.io/managed-by': 'liqo', [REMOTE]: provider },
      },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'liqo-virtual-kubelet-local' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    cluster.make(virtualKubelet(name, namespace, provider));
    const remote = { [REMOTE]: provider, 'liqo.io/remoteID': provider, 'liqo.io/replication': 'true' };
    const metadata = { name: provider, namespace, labels: remote };
    cluster.make({ apiVersion: OFFLOADING, kind: 'NamespaceMap', metadata });
    const types = ['VirtualKubelet', 'Node', 'VirtualKubelet', 'Node'];
    cluster.update(node, { status: { conditions: types.map((it) => condition(it, 'Running')) } });
  }
}

function virtualKubelet(name: string, namespace: string, provider: string): Simulated {
  const labels: Readonly<Record<string, string>> = {
    [REMOTE]: provider,
    'liqo.io/virtual-node': name,
    'offloading.liqo.io/component': 'virtual-kubelet',
  };
  const pod: Fields = {
    serviceAccountName: name,
    containers: [{ name: 'virtual-kubelet', args: [`--nodename=${name}`] }],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `vk-${name}`, namespace, labels },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
    status: { replicas: 1 },
  };
}
