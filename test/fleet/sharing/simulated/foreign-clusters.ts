import { condition, type Fields, REMOTE, type Simulated, type SimulatedCluster } from './simulated-cluster.ts';

/** Kinds of which an object makes Liqo watch the cluster that its label names. */
const ABOUT_REMOTES = ['Configuration', 'GatewayServer', 'GatewayClient', 'Tenant', 'Identity', 'VirtualNode'];

/**
 * The ForeignClusters of every cluster. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
export function watchForeignClusters(cluster: SimulatedCluster): void {
  const remotes = ABOUT_REMOTES.flatMap((kind) => cluster.list(kind)).map((it) => it.metadata.labels?.[REMOTE]);
  for (const remote of new Set(remotes.filter((it) => it !== undefined))) {
    const about = (kind: string): readonly Simulated[] => cluster.list(kind, { [REMOTE]: remote });
    cluster.make({
      apiVersion: 'core.liqo.io/v1beta1',
      kind: 'ForeignCluster',
      metadata: { name: remote, labels: { [REMOTE]: remote } },
      spec: { clusterID: remote },
    });
    const found = cluster.find('ForeignCluster', undefined, remote);
    if (found !== undefined) cluster.update(found, { status: statusOf(cluster, remote, about) });
  }
}

function statusOf(cluster: SimulatedCluster, remote: string, about: (kind: string) => readonly Simulated[]): Fields {
  const [tenant] = about('Tenant').filter((it) => it.status !== undefined);
  const [identity] = about('Identity').filter((it) => it.spec?.['type'] === 'ControlPlane');
  const nodes = about('VirtualNode');
  const { apiServer } = (identity?.spec?.['authParams'] ?? {}) as { readonly apiServer?: string };
  return {
    role: tenant && identity ? 'ConsumerAndProvider' : tenant ? 'Consumer' : identity ? 'Provider' : 'Unknown',
    ...(apiServer === undefined ? {} : { apiServerUrl: apiServer }),
    conditions: [condition('APIServerStatus', 'Established')],
    modules: {
      networking: { enabled: about('Configuration').length > 0 },
      authentication: {
        enabled: tenant !== undefined || identity !== undefined,
        conditions: [
          ...(identity ? [condition('AuthIdentityControlPlaneStatus', identity.status ? 'Ready' : 'NotReady')] : []),
          ...(tenant ? [condition('AuthTenantStatus', 'Ready')] : []),
        ],
      },
      offloading: {
        enabled: nodes.length > 0,
        ...(nodes.length === 0
          ? {}
          : {
              conditions: [
                condition('OffloadingVirtualNodeStatus', 'Ready'),
                condition('OffloadingNodeStatus', 'NotReady'),
              ],
            }),
      },
    },
    tenantNamespace: {
      local: cluster.tenantNamespace(remote),
      ...(identity === undefined ? {} : { remote: identity.spec?.['namespace'] }),
    },
  };
}
