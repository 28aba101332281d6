import { sortedRecord } from '../../base/core/collections.ts';
import { TUNNEL_METRICS } from '../../base/releases/gateways.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Monitoring } from '../../fleet/model/network-model.ts';
import type { Manifest } from '../liqo/manifest.ts';

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
 * Without this option, Argo CD would refuse the folder while the operator is not installed. Source: argoproj/argo-cd
 * docs/user-guide/sync-options.md.
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

interface Alert {
  readonly name: string;
  /** A PromQL expression. */
  readonly expression: string;
  /** Duration for which the expression must hold. */
  readonly lasts: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
}

/**
 * The alerts on one tunnel. A gateway without its ping reports every tunnel as connected, and no latency, so only the
 * alert about missing metrics is useful.
 */
function tunnelAlerts(cluster: AddressedCluster, peer: Peer, monitoring: Monitoring): readonly Alert[] {
  const tunnel = { here: cluster.name, there: peer.name, namespace: ownEnd(peer).names.namespace, monitoring };
  const isPinged = cluster.gateway.ping?.enabled !== false;
  return [...(isPinged ? [down(tunnel), slow(tunnel)] : []), unknown(tunnel)];
}

interface Tunnel {
  readonly here: string;
  readonly there: string;
  /** Namespace of the gateway. */
  readonly namespace: string;
  readonly monitoring: Monitoring;
}

const metric = (name: string, { there }: Tunnel): string => `${name}{${TUNNEL_METRICS.peerLabel}="${there}"}`;

/** The largest value over the replicas of a gateway; standby replicas may report other values or none. */
const largest = (name: string, tunnel: Tunnel): string =>
  `max by (${TUNNEL_METRICS.peerLabel}) (${metric(name, tunnel)})`;

function down(tunnel: Tunnel): Alert {
  const { here, there, monitoring } = tunnel;
  return {
    name: 'LiqoTunnelDown',
    expression: `${largest(TUNNEL_METRICS.isConnected, tunnel)} == 0`,
    lasts: monitoring.downFor,
    severity: 'critical',
    summary: `the tunnel from ${here} to ${there} is down`,
    description: `The gateway in ${here} gets no answer to its ping from ${there}. ${lookAt(tunnel)}`,
  };
}

function slow(tunnel: Tunnel): Alert {
  const { here, there, monitoring } = tunnel;
  const seconds = monitoring.latencyAboveMilliseconds / 1000;
  return {
    name: 'LiqoTunnelSlow',
    expression: `${largest(TUNNEL_METRICS.latencyMicroseconds, tunnel)} / 1000000 > ${seconds}`,
    lasts: monitoring.latencyFor,
    severity: 'warning',
    summary: `the tunnel from ${here} to ${there} is slow`,
    description: `A ping from ${here} to ${there} and back takes {{ $value | humanizeDuration }}, which is more than ${seconds} s.`,
  };
}

function unknown(tunnel: Tunnel): Alert {
  const { here, there, monitoring } = tunnel;
  return {
    name: 'LiqoTunnelUnknown',
    expression: `absent(${metric(TUNNEL_METRICS.isConnected, tunnel)})`,
    lasts: monitoring.downFor,
    severity: 'critical',
    summary: `nothing is known about the tunnel from ${here} to ${there}`,
    description: `Prometheus has no metric of the gateway in ${here} towards ${there}: it does not run, has no peer yet, or is not scraped. ${lookAt(tunnel)}`,
  };
}

const lookAt = ({ here, namespace }: Tunnel): string =>
  `In ${here} run: kubectl get pods,connections.networking.liqo.io -n ${namespace}`;
