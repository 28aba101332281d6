import type { HealthSample } from './health-scripts.ts';

const authParams = { apiServer: 'https://milan.example:6443', signedCRT: 'AA==' };
const handshake = { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' };
const tolerant = { clusterID: 'rome', authzPolicy: 'TolerateNoHandshake', tenantCondition: 'Active' };
const accepted = { tenantNamespace: 'liqo-tenant-rome' };

const tenants: readonly HealthSample[] = [
  { what: 'a new one', object: { spec: handshake }, health: 'Progressing' },
  { what: 'an empty status', object: { spec: handshake, status: {} }, health: 'Progressing' },
  {
    what: 'a namespace and no certificate',
    object: { spec: handshake, status: accepted },
    health: 'Progressing',
    message: 'the certificate is not signed yet, see the events of the Tenant',
  },
  {
    what: 'a certificate and no namespace',
    object: { spec: handshake, status: { authParams, tenantNamespace: '' } },
    health: 'Progressing',
  },
  { what: 'signed', object: { spec: handshake, status: { ...accepted, authParams } }, health: 'Healthy' },
  {
    what: 'signed, without a policy',
    object: { spec: { clusterID: 'rome' }, status: { ...accepted, authParams } },
    health: 'Healthy',
    message: 'the certificate is signed, the tenant is Active',
  },
  {
    what: 'without a policy and a certificate',
    object: { spec: { clusterID: 'rome' }, status: accepted },
    health: 'Progressing',
  },
  { what: 'new without a handshake', object: { spec: tolerant }, health: 'Progressing' },
  {
    what: 'without a handshake',
    object: { spec: tolerant, status: accepted },
    health: 'Healthy',
    message: 'accepted without a handshake',
  },
];

const identities: readonly HealthSample[] = [
  { what: 'a new one', object: { spec: {} }, health: 'Progressing' },
  { what: 'an empty status', object: { spec: {}, status: {} }, health: 'Progressing' },
  { what: 'an empty reference', object: { spec: {}, status: { kubeconfigSecretRef: {} } }, health: 'Progressing' },
  {
    what: 'a kubeconfig',
    object: { spec: {}, status: { kubeconfigSecretRef: { name: 'kubeconfig-controlplane-milan' } } },
    health: 'Healthy',
    message: 'the kubeconfig is in Secret kubeconfig-controlplane-milan',
  },
];

const answer = (type: 'Authentication' | 'Resources', status: 'Accepted' | 'Denied') => ({
  type,
  status,
  reason: `ResourceSlice${type}${status}`,
  message: `ResourceSlice ${type.toLowerCase()} ${status.toLowerCase()}`,
});

const slice = (...conditions: readonly object[]) => ({ spec: {}, status: { conditions } });

const resourceSlices: readonly HealthSample[] = [
  {
    what: 'a new one',
    object: { spec: {} },
    health: 'Progressing',
    message: 'the provider has not answered about Authentication yet',
  },
  { what: 'an empty status', object: { spec: {}, status: {} }, health: 'Progressing' },
  { what: 'no conditions', object: slice(), health: 'Progressing' },
  { what: 'resources alone', object: slice(answer('Resources', 'Accepted')), health: 'Progressing' },
  {
    what: 'a class that nobody serves',
    object: slice(answer('Authentication', 'Accepted')),
    health: 'Progressing',
    message: 'the provider has not answered about Resources yet',
  },
  {
    what: 'both, in the other order',
    object: slice(answer('Resources', 'Accepted'), answer('Authentication', 'Accepted')),
    health: 'Healthy',
  },
  {
    what: 'a cordoned tenant',
    object: slice(answer('Authentication', 'Accepted'), answer('Resources', 'Denied')),
    health: 'Degraded',
    message: 'Resources is denied: ResourceSlice resources denied',
  },
  {
    what: 'a refused request',
    object: slice({ type: 'Authentication', status: 'Denied' }),
    health: 'Degraded',
    message: 'Authentication is denied: no reason is given',
  },
];

const node = (...conditions: readonly (readonly [type: string, status: string])[]) => ({
  spec: {},
  status: { conditions: conditions.map(([type, status]) => ({ type, status })) },
});

const virtualNodes: readonly HealthSample[] = [
  { what: 'a new one', object: { spec: {} }, health: 'Progressing', message: 'there is no virtual kubelet yet' },
  { what: 'no conditions', object: node(), health: 'Progressing' },
  { what: 'the node alone', object: node(['Node', 'Running']), health: 'Progressing' },
  { what: 'being made', object: node(['VirtualKubelet', 'Creating'], ['Node', 'Creating']), health: 'Progressing' },
  {
    what: 'one of two made',
    object: node(['VirtualKubelet', 'Running'], ['Node', 'Creating'], ['VirtualKubelet', 'Running']),
    health: 'Progressing',
    message: 'Node is Creating',
  },
  {
    what: 'every condition twice',
    object: node(
      ['Node', 'Running'],
      ['VirtualKubelet', 'Running'],
      ['VirtualKubelet', 'Running'],
      ['Node', 'Running'],
    ),
    health: 'Healthy',
  },
  { what: 'without a node', object: node(['Node', 'None'], ['VirtualKubelet', 'Running']), health: 'Healthy' },
  { what: 'no kubelet wanted', object: node(['Node', 'None'], ['VirtualKubelet', 'None']), health: 'Progressing' },
  {
    what: 'being drained',
    object: node(['VirtualKubelet', 'Running'], ['Node', 'Draining'], ['Node', 'Draining']),
    health: 'Progressing',
    message: 'Node is Draining',
  },
  { what: 'being deleted', object: node(['Node', 'Deleting'], ['VirtualKubelet', 'Deleting']), health: 'Progressing' },
];

const ready = (status: 'True' | 'False', reason: string) => [
  { type: 'OffloadingRequired', status: 'True', reason: 'ClusterSelected' },
  { type: 'Ready', status, reason },
];

const offloading = (offloadingPhase: string, remoteNamespacesConditions: object = {}) => ({
  metadata: { name: 'offloading', namespace: 'demo' },
  spec: {},
  status: { offloadingPhase, remoteNamespaceName: 'demo-rome', remoteNamespacesConditions },
});

const namespaceOffloadings: readonly HealthSample[] = [
  {
    what: 'a new one',
    object: { metadata: { namespace: 'demo' }, spec: {} },
    health: 'Progressing',
    message: 'the phase is not known yet',
  },
  {
    what: 'an empty status',
    object: { metadata: { namespace: 'demo' }, spec: {}, status: {} },
    health: 'Progressing',
  },
  {
    what: 'no provider',
    object: offloading('NoClusterSelected'),
    health: 'Progressing',
    message: 'no provider that is selected is there yet',
  },
  {
    what: 'being created',
    object: offloading('InProgress', { milan: ready('False', 'Creating') }),
    health: 'Progressing',
    message: 'the phase is InProgress',
  },
  {
    what: 'ready',
    object: offloading('Ready', { milan: ready('True', 'NamespaceCreated') }),
    health: 'Healthy',
    message: 'offloaded as demo-rome',
  },
  {
    what: 'some refused',
    object: offloading('SomeFailed', {
      turin: ready('False', 'CreationLoopBackOff'),
      milan: ready('True', 'NamespaceCreated'),
      genoa: ready('False', 'CreationLoopBackOff'),
    }),
    health: 'Degraded',
    message: 'a namespace of that name is in the way in genoa, turin',
  },
  {
    what: 'all refused',
    object: offloading('AllFailed', { milan: ready('False', 'CreationLoopBackOff') }),
    health: 'Degraded',
  },
  {
    what: 'being taken back',
    object: offloading('Terminating', { milan: ready('False', 'Terminating') }),
    health: 'Progressing',
  },
];

const foreign = (modules: object, conditions: readonly object[] = []) => ({ status: { modules, conditions } });
const module = (...statuses: readonly string[]) => ({
  enabled: true,
  conditions: statuses.map((status) => ({ type: 'X', status })),
});

/** Liqo writes them; they are in no bundle, so Flux has no expression for them. */
const foreignClusters: readonly HealthSample[] = [
  { what: 'a new one', object: {}, health: 'Progressing', message: 'no module is in use yet' },
  { what: 'disabled', object: foreign({ networking: { enabled: false } }), health: 'Progressing' },
  { what: 'no conditions of networking', object: foreign({ networking: { enabled: true } }), health: 'Progressing' },
  { what: 'established', object: foreign({ networking: module('Established') }), health: 'Healthy' },
  { what: 'pending', object: foreign({ networking: module('Ready', 'Pending') }), health: 'Progressing' },
  { what: 'some not ready', object: foreign({ networking: module('SomeNotReady', 'Ready') }), health: 'Progressing' },
  { what: 'an error', object: foreign({ networking: module('Pending', 'Error') }), health: 'Degraded' },
  { what: 'not ready', object: foreign({ networking: module('NotReady', 'Ready') }), health: 'Degraded' },
  {
    what: 'a consumer with credentials',
    object: foreign({ authentication: { enabled: true }, networking: { enabled: false }, offloading: module('Ready') }),
    health: 'Healthy',
    message: 'authentication, offloading established',
  },
  {
    what: 'a certificate and no tunnel yet',
    object: foreign({ authentication: module('Ready'), networking: module('Pending') }),
    health: 'Progressing',
    message: 'networking, X: Pending',
  },
  {
    what: 'no node',
    object: foreign({ authentication: module('Ready'), networking: module('Ready'), offloading: module('NotReady') }),
    health: 'Degraded',
    message: 'offloading, X: NotReady',
  },
  {
    what: 'a silent API server',
    object: foreign({ authentication: module('Ready') }, [
      { type: 'APIServerStatus', status: 'Error', message: 'no answer' },
    ]),
    health: 'Degraded',
    message: 'API server, APIServerStatus: no answer',
  },
];

/** By script. */
export const sharingSamples: Readonly<Record<string, readonly HealthSample[]>> = {
  tenant: tenants,
  identity: identities,
  'resource-slice': resourceSlices,
  'virtual-node': virtualNodes,
  'namespace-offloading': namespaceOffloadings,
  'foreign-cluster': foreignClusters,
};
