import type { Expectation } from '../expectation.ts';
import { nodesOf, progressOf, shareBetween } from './shares.ts';
import { aboutRemote, type WantedObject } from './wanted-object.ts';

/**
 * The objects that Liqo creates in a cluster about another cluster. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
export function resultsAboutPartner(expected: Expectation, cluster: string, remote: string): readonly WantedObject[] {
  const { shares, clusters } = expected;
  const lends = shareBetween(shares, remote, cluster);
  const borrows = shareBetween(shares, cluster, remote);
  if ([lends, borrows].some((it) => it && progressOf(it) === 'drained')) return [];
  const lent = lends && progressOf(lends) !== 'waits' ? lends : undefined;
  const borrowed = borrows && progressOf(borrows) === 'connected' ? borrows : undefined;
  if (!lent && !borrowed) return [];
  const role = lent && borrowed ? 'ConsumerAndProvider' : lent ? 'Consumer' : 'Provider';
  const isWhole = !borrowed || nodesOf(borrowed).length === borrowed.slices.length;
  const ready = (type: string) => ({ status: 'Ready', type });
  const details = {
    apiServerUrl: borrowed?.answer?.apiServer,
    modules: {
      authentication: {
        conditions: [
          ...(lent ? [ready('AuthTenantStatus')] : []),
          ...(borrowed ? [ready('AuthIdentityControlPlaneStatus')] : []),
        ],
        enabled: true,
      },
      networking: { enabled: clusters.get(cluster)?.ends.has(remote) === true },
      offloading: {
        conditions: borrowed ? [ready('OffloadingVirtualNodeStatus')] : undefined,
        enabled: borrowed !== undefined,
      },
    },
    tenantNamespace: {
      local: borrowed?.namespaceOfProvider ?? lent?.namespaceOfConsumer,
      remote: borrowed?.namespaceOfConsumer,
    },
  };
  return [
    {
      apiVersion: 'core.liqo.io/v1beta1',
      kind: 'ForeignCluster',
      metadata: { name: remote, labels: aboutRemote(remote) },
      spec: { clusterID: remote },
      status: borrowed?.auth === 'credentials' || !isWhole ? { role } : { role, ...details },
    },
  ];
}
