import { REMOTE, type Simulated, type SimulatedCluster } from './simulated-cluster.ts';

/** The replicator of a consumer copies specs to the provider, and statuses back. */
const COPIED = ['ResourceSlice', 'NamespaceMap', 'Renew'];

/**
 * Copies objects to the providers to which a consumer has a kubeconfig, and their status back.
 * Source: liqotech/liqo@v1.2.0 internal/crdReplicator/reflection/handler.go.
 */
export function replicate(cluster: SimulatedCluster, world: ReadonlyMap<string, SimulatedCluster>): void {
  for (const kubeconfig of cluster.list('Secret', { 'liqo.io/identity-type': 'ControlPlane' })) {
    const provider = world.get(kubeconfig.metadata.labels?.[REMOTE] ?? '');
    const there = kubeconfig.metadata.annotations?.['liqo.io/remote-tenant-namespace'];
    if (provider === undefined || there === undefined || !mayCopy(cluster.id, provider, there)) continue;
    const labels = { 'liqo.io/replication': 'true', 'liqo.io/remoteID': provider.id };
    for (const kind of COPIED) {
      const own = cluster.list(kind, labels).filter((it) => it.metadata.namespace === kubeconfig.metadata.namespace);
      for (const it of own) copy(cluster, it, provider, there);
    }
  }
}

function mayCopy(consumer: string, provider: SimulatedCluster, namespace: string): boolean {
  const binding = provider.find('RoleBinding', namespace, 'liqo-binding-liqo-remote-controlplane');
  const subjects = (binding?.['subjects'] ?? []) as readonly { readonly kind: string; readonly name: string }[];
  return subjects.some((it) => it.kind === 'User' && it.name === consumer);
}

function copy(cluster: SimulatedCluster, it: Simulated, provider: SimulatedCluster, namespace: string): void {
  const found = provider.find(it.kind, namespace, it.metadata.name);
  const spec = it.spec === undefined ? {} : { spec: it.spec };
  if (found !== undefined) {
    if (found.metadata.labels?.['liqo.io/originID'] !== cluster.id) return;
    provider.update(found, spec);
    if (found.status !== undefined) cluster.update(it, { status: found.status });
    return;
  }
  provider.put({
    apiVersion: it.apiVersion,
    kind: it.kind,
    metadata: {
      ...it.metadata,
      namespace,
      labels: {
        ...it.metadata.labels,
        [REMOTE]: cluster.id,
        'liqo.io/originID': cluster.id,
        'liqo.io/replicated': 'true',
        'liqo.io/replication': 'false',
      },
    },
    ...spec,
  });
}
