import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import { REMOTE_CLUSTER_LABEL } from '../../releases/labels.ts';
import { tenantNamespace } from '../../releases/tenant-namespace.ts';
import type { ClusterSharing, Share } from '../../sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { acceptedSlices, isConnected, isDraining, isServed } from './rest-state.ts';

/**
 * What Liqo says of each partner. Whether it answers, and whether tunnels and nodes are ready, is left out: that changes with
 * no change in git. A consumer with credentials gets only the role, since releases say different things of it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
export function expectedForeignClusters(cluster: AddressedCluster, sharing: ClusterSharing): readonly Manifest[] {
  const { borrows, lends } = sharing;
  const pairs = new Map<string, Pair>();
  for (const it of lends.filter(isServed)) pairs.set(it.consumer.name, { lent: it });
  for (const it of borrows.filter(isConnected)) {
    pairs.set(it.provider.name, { ...pairs.get(it.provider.name), borrowed: it });
  }
  const settled = [...pairs].filter(([remote]) => !isDraining(sharing, remote));
  return settled.map(([remote, pair]) => ({
    apiVersion: 'core.liqo.io/v1beta1',
    kind: 'ForeignCluster',
    metadata: { name: remote, labels: { [REMOTE_CLUSTER_LABEL]: remote } },
    spec: { clusterID: remote },
    status: statusOf(cluster, remote, pair),
  }));
}

/** The shares of two clusters that work, as one of them sees the other. */
interface Pair {
  /** The remote cluster is the consumer. */
  readonly lent?: Share;
  /** It is the provider. */
  readonly borrowed?: Share;
}

function statusOf(cluster: AddressedCluster, remote: string, { lent, borrowed }: Pair): Field {
  const role = { role: lent && borrowed ? 'ConsumerAndProvider' : lent ? 'Consumer' : 'Provider' };
  const isAllAccepted = borrowed === undefined || acceptedSlices(borrowed).length === borrowed.slices.length;
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
        enabled: borrowed !== undefined,
      },
    },
    ...role,
    tenantNamespace: {
      local: tenantNamespace(remote),
      remote: borrowed ? tenantNamespace(cluster.name) : undefined,
    },
  };
}
