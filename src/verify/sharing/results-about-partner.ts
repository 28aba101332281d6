import type { Expectation } from '../expectation.ts';
import { nodesOf, progressOf } from './progress.ts';
import { aboutRemote, namespaceFor, type WantedObject } from './wanted-object.ts';

/**
 * What Liqo says of a cluster in another one.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
export function resultsAboutPartner(expected: Expectation, cluster: string, remote: string): readonly WantedObject[] {
  const { shares, clusters } = expected;
  const ends = [cluster, remote];
  const ofPair = shares.filter((it) => ends.includes(it.consumer) && ends.includes(it.provider));
  if (ofPair.some((it) => progressOf(it) === 'drained')) return [];
  const lent = ofPair.find((it) => it.provider === cluster && ['served', 'connected'].includes(progressOf(it)));
  const borrowed = ofPair.find((it) => it.consumer === cluster && progressOf(it) === 'connected');
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
    tenantNamespace: { local: namespaceFor(remote), remote: borrowed ? namespaceFor(cluster) : undefined },
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
