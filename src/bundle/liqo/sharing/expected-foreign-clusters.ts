import { REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Partner } from '../../../fleet/sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { acceptedSlices, isConnected, isDraining, isServed } from './rest-state.ts';

/**
 * What Liqo says of each partner. Whether it answers, and whether tunnels and nodes are ready, is left out: that changes with
 * no change in git. A consumer with credentials gets only the role, since releases say different things of it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
export function expectedForeignClusters(cluster: AddressedCluster, partners: readonly Partner[]): readonly Manifest[] {
  return partners
    .filter((it) => !isDraining(it))
    .map(working)
    .filter(({ borrowed, lent }) => borrowed !== null || lent !== null)
    .map((it) => ({
      apiVersion: 'core.liqo.io/v1beta1',
      kind: 'ForeignCluster',
      metadata: { name: it.cluster.name, labels: { [REMOTE_CLUSTER_LABEL]: it.cluster.name } },
      spec: { clusterID: it.cluster.name },
      status: statusOf(cluster, it),
    }));
}

/** A partner with only the loans that work. */
const working = ({ cluster, borrowed, lent }: Partner): Partner => ({
  cluster,
  borrowed: borrowed !== null && isConnected(borrowed) ? borrowed : null,
  lent: lent !== null && isServed(lent) ? lent : null,
});

function statusOf(cluster: AddressedCluster, { cluster: { name: remote }, lent, borrowed }: Partner): Field {
  const role = { role: lent && borrowed ? 'ConsumerAndProvider' : lent ? 'Consumer' : 'Provider' };
  const isAllAccepted = borrowed === null || acceptedSlices(borrowed).length === borrowed.slices.length;
  if (borrowed?.auth === 'credentials' || !isAllAccepted) return role;
  return {
    apiServerUrl: borrowed?.identity?.apiServer,
    modules: {
      authentication: {
        conditions: [
          ...(lent ? [{ status: 'Ready', type: 'AuthTenantStatus' }] : []),
          ...(borrowed ? [{ status: 'Ready', type: 'AuthIdentityControlPlaneStatus' }] : []),
        ],
        enabled: true,
      },
      networking: { enabled: cluster.peers.has(remote) },
      offloading: {
        conditions: borrowed ? [{ status: 'Ready', type: 'OffloadingVirtualNodeStatus' }] : undefined,
        enabled: borrowed !== null,
      },
    },
    ...role,
    tenantNamespace: {
      local: namespaceIn(cluster, remote),
      remote: borrowed ? namespaceIn(borrowed.provider, cluster.name) : undefined,
    },
  };
}
