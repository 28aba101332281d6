import { sortedRecord } from '../../base/core/order.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Monitoring } from '../../fleet/model/network-model.ts';
import type { Manifest } from '../liqo/manifest.ts';
import { type Alert, tunnelAlerts } from './tunnel-alerts.ts';

/**
 * The alerts of one cluster on its tunnel to one peer. One object each: a hub has thousands of peers, and an object has at
 * most a megabyte.
 * Source: prometheus-operator/prometheus-operator@v0.77.0 pkg/apis/monitoring/v1/prometheusrule_types.go.
 */
export function prometheusRule(cluster: AddressedCluster, peer: Peer, monitoring: Monitoring): Manifest {
  const { namespace, labels } = monitoring;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: `weft-tunnel-${peer.name}`,
      namespace: namespace ?? cluster.liqoNamespace,
      ...(Object.keys(labels).length === 0 ? {} : { labels: sortedRecord(labels) }),
      annotations: SYNC_OPTIONS,
    },
    spec: {
      groups: [
        {
          name: `weft-tunnel-${cluster.name}-${peer.name}`,
          rules: tunnelAlerts(cluster, peer, monitoring).map((it) => ruleOf(it, cluster.name)),
        },
      ],
    },
  };
}

/**
 * Argo CD would refuse the folder while the operator is not installed.
 * Source: argoproj/argo-cd docs/user-guide/sync-options.md.
 */
const SYNC_OPTIONS = { 'argocd.argoproj.io/sync-options': 'SkipDryRunOnMissingResource=true' } as const;

/** Prometheus adds the label of the metric, `cluster_id`, which is the peer. */
const ruleOf = ({ name, expression, lasts, severity, summary, description }: Alert, cluster: string) => ({
  alert: name,
  expr: expression,
  for: lasts,
  labels: { local_cluster_id: cluster, severity },
  annotations: { summary, description },
});
