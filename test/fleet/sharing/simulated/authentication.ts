import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  AUTHENTICATION,
  condition,
  type Fields,
  RBAC,
  REMOTE,
  type Simulated,
  type SimulatedCluster,
} from './simulated-cluster.ts';

/*
 * The controllers that let a consumer in, as they are described for liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication.
 */

/** A provider checks the signature of each tenant over its nonce, and binds who passes. */
export function admitTenants(cluster: SimulatedCluster): void {
  for (const tenant of cluster.list('Tenant')) {
    const consumer = String(tenant.spec?.['clusterID']);
    const namespace = cluster.tenantNamespace(consumer);
    if (namespace === undefined || namespace !== tenant.metadata.namespace || !hasSigned(cluster, tenant)) continue;
    const labels = { 'app.kubernetes.io/managed-by': 'liqo', [REMOTE]: consumer };
    cluster.make(secret('liqo-remote-certificate', namespace, { labels: { [REMOTE]: consumer } }));
    cluster.make({
      apiVersion: RBAC,
      kind: 'RoleBinding',
      metadata: { name: 'liqo-binding-liqo-remote-controlplane', namespace, labels },
      ...bound('liqo-remote-controlplane', 'User', consumer),
    });
    const clusterwide = 'liqo-virtual-kubelet-remote-clusterwide';
    cluster.make({
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      metadata: { name: `liqo-binding-${clusterwide}-${consumer}`, labels },
      ...bound(clusterwide, 'Group', consumer),
    });
    cluster.update(tenant, { status: { authParams: answerOf(cluster), tenantNamespace: namespace } });
  }
}

export const bound = (role: string, kind: 'User' | 'Group', name: string) => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind, name }],
});

const secret = (name: string, namespace: string, metadata: Partial<Simulated['metadata']>): Simulated => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, ...metadata },
  type: 'Opaque',
});

const answerOf = ({ id, apiServer }: SimulatedCluster): Fields => ({
  apiServer,
  ca: Buffer.from(`CA of ${id}`).toString('base64'),
  signedCRT: Buffer.from(`signed by ${id}`).toString('base64'),
});

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go. */
function hasSigned(cluster: SimulatedCluster, { spec = {} }: Simulated): boolean {
  const nonces = cluster.list('Secret', { 'liqo.io/nonce': 'true', [REMOTE]: String(spec['clusterID']) });
  const [nonce] = nonces.map((it) => (it['data'] as Readonly<Record<string, string>>)['nonce'] ?? '');
  if (nonce === undefined || nonces.length !== 1) return false;
  const written = Buffer.from(String(spec['publicKey']), 'base64');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), written]);
  const isRaw = written.length === 32;
  const key = isRaw ? createPublicKey({ key: der, format: 'der', type: 'spki' }) : createPublicKey(written);
  return verify(null, Buffer.from(nonce, 'base64'), key, Buffer.from(String(spec['signature']), 'base64'));
}

/** A consumer makes a kubeconfig of each Identity, and from v1.2.0 on a Renew of those that copy objects. */
export function useIdentities(cluster: SimulatedCluster): void {
  for (const identity of cluster.list('Identity')) {
    const { name, namespace = '', labels = {} } = identity.metadata;
    const { clusterID, type, namespace: remoteNamespace } = (identity.spec ?? {}) as Readonly<Record<string, string>>;
    const remote = { [REMOTE]: labels[REMOTE] ?? '' };
    cluster.make(
      secret(`kubeconfig-${name}`, namespace, {
        labels: { 'liqo.io/identity-type': String(type), [REMOTE]: String(clusterID) },
        ...(remoteNamespace === undefined
          ? {}
          : { annotations: { 'liqo.io/remote-tenant-namespace': remoteNamespace } }),
      }),
    );
    cluster.update(identity, { status: { kubeconfigSecretRef: { name: `kubeconfig-${name}` } } });
    if (type !== 'ControlPlane') continue;
    cluster.make({
      apiVersion: AUTHENTICATION,
      kind: 'Renew',
      metadata: {
        name,
        namespace,
        labels: { ...remote, 'liqo.io/remoteID': String(clusterID), 'liqo.io/replication': 'true' },
      },
      spec: { consumerClusterID: cluster.id, identityType: 'ControlPlane', csr: 'AAAA', publicKey: 'AAAA' },
    });
  }
}

/** The default resources of a provider; every request is accepted unchanged. */
const DEFAULTS = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '20Gi' };

/** A provider answers the copies of slices. */
export function answerSlices(cluster: SimulatedCluster): void {
  for (const slice of cluster.list('ResourceSlice', { 'liqo.io/replicated': 'true' })) {
    const { name, namespace = '', labels = {} } = slice.metadata;
    const consumer = labels['liqo.io/originID'] ?? '';
    const tenant = cluster.list('Tenant', { [REMOTE]: consumer }).find((it) => it.metadata.namespace === namespace);
    if (tenant?.status === undefined || !['', 'default'].includes(String(slice.spec?.['class'] ?? ''))) continue;
    const isDenied =
      tenant.spec?.['tenantCondition'] !== 'Active' ||
      cluster.faults.denied?.includes(`${cluster.id}/${name}`) === true;
    cluster.make(secret(`liqo-remote-certificate-${name}`, namespace, { labels: { [REMOTE]: consumer } }));
    cluster.update(slice, {
      status: {
        authParams: answerOf(cluster),
        conditions: [
          condition('Authentication', 'Accepted', 'ResourceSliceAuthenticationAccepted'),
          isDenied
            ? condition('Resources', 'Denied', 'ResourceSliceResourcesDenied')
            : condition('Resources', 'Accepted', 'ResourceSliceResourcesAccepted'),
        ],
        ...(isDenied ? {} : { resources: { ...DEFAULTS, ...(slice.spec?.['resources'] as Fields) } }),
      },
    });
  }
}

/** The user of a slice. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export const userOf = (slice: string, consumer: string): string =>
  `${slice}-${createHash('sha256').update(consumer).digest('hex').slice(0, 12)}`;
