import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, nodeAt } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { textAt } from '../kube-object.ts';
import { compareParts, forEachCluster, type Part } from './bundle-check.ts';

/**
 * A cluster with alerts has one PrometheusRule for each peer. They read the metrics of its
 * gateways, which its chart turns on: another check reads its Helm values.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 pkg/gateway/tunnel/metrics.go, deployments/liqo/values.yaml (metrics).
 */
export const alertsWatchEveryTunnel = forEachCluster(function* ({ bundle }, { name, expected }) {
  const { declared, ends } = expected;
  const isWatched = declared.monitoring !== null;
  for (const peer of isWatched ? ends.keys() : []) {
    for (const { node } of bundle.objects.get(`${name}/monitoring/${peer}.yaml`) ?? []) {
      const what = `the alerts of "${name}" on its tunnel to "${peer}"`;
      yield* compareParts({ code: 'verify/alert', what, node }, ruleParts(declared, peer));
      yield* namesThePeer(node, what, peer);
    }
  }
});

/** The words of an alert are the first that a paged person sees, and a fleet has many tunnels. */
function* namesThePeer(node: DocumentNode, what: string, peer: string): Iterable<Diagnostic> {
  const rules = nodeAt(node, ['spec', 'groups', 0, 'rules']);
  for (const it of rules?.kind === 'list' ? rules.items : []) {
    for (const key of ['summary', 'description']) {
      const { text, at } = textAt(it, ['annotations', key]);
      if (text?.includes(peer)) continue;
      const is = text === undefined ? 'is missing' : `does not name "${peer}"`;
      yield diagnostic('verify/alert', at, `the ${key} of one of ${what} ${is}`);
    }
  }
}

function* ruleParts(
  cluster: ClusterDeclaration,
  peer: string,
): Iterable<readonly [readonly (string | number)[], Part]> {
  const { monitoring, liqoNamespace, name } = cluster;
  if (monitoring === null) return;
  yield [['apiVersion'], 'monitoring.coreos.com/v1'];
  yield [['kind'], 'PrometheusRule'];
  yield [['metadata', 'name'], `weft-tunnel-${peer}`];
  yield [['metadata', 'namespace'], monitoring.namespace ?? liqoNamespace];
  yield [['metadata', 'labels'], Object.keys(monitoring.labels).length > 0 ? monitoring.labels : undefined];
  // Without it, Argo CD refuses the whole folder while the operator is not installed.
  yield [['metadata', 'annotations', 'argocd.argoproj.io/sync-options'], 'SkipDryRunOnMissingResource=true'];
  yield [['spec', 'groups', 0, 'name'], `weft-tunnel-${name}-${peer}`];
  const rules = ['spec', 'groups', 0, 'rules'];
  const alerts = alertsOn(cluster, peer);
  for (const [i, { alert, expr, lasts, severity }] of alerts.entries()) {
    yield [[...rules, i, 'alert'], alert];
    yield [[...rules, i, 'expr'], expr];
    yield [[...rules, i, 'for'], lasts];
    yield [[...rules, i, 'labels'], { local_cluster_id: name, severity }];
  }
  yield [[...rules, alerts.length], undefined];
  yield [['spec', 'groups', 1], undefined];
}

interface ExpectedAlert {
  readonly alert: string;
  readonly expr: string;
  readonly lasts: string;
  /** A tunnel that is slow still carries packets. */
  readonly severity: 'critical' | 'warning';
}

/**
 * The expected alerts. A gateway without its ping reports that every tunnel is connected, so it has only the alert
 * about missing metrics.
 */
function alertsOn({ gateway, monitoring }: ClusterDeclaration, peer: string): readonly ExpectedAlert[] {
  if (monitoring === null) return [];
  const of = `{cluster_id="${peer}"}`;
  const seconds = monitoring.latencyAboveMilliseconds / 1000;
  const unknown = {
    alert: 'LiqoTunnelUnknown',
    expr: `absent(liqo_peer_is_connected${of})`,
    lasts: monitoring.downFor,
    severity: 'critical',
  } as const;
  if (gateway.ping?.enabled === false) return [unknown];
  return [
    {
      alert: 'LiqoTunnelDown',
      expr: `max by (cluster_id) (liqo_peer_is_connected${of}) == 0`,
      lasts: monitoring.downFor,
      severity: 'critical',
    },
    {
      alert: 'LiqoTunnelSlow',
      expr: `max by (cluster_id) (liqo_peer_latency_us${of}) / 1000000 > ${seconds}`,
      lasts: monitoring.latencyFor,
      severity: 'warning',
    },
    unknown,
  ];
}
