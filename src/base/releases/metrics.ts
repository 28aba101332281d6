// What gateways report to Prometheus, the same in every release that weft supports.

/**
 * Of the container `wireguard` of each gateway. While the gateway has no peer, or its Connection is missing, the whole
 * answer is an error, so the metrics are missing, too; the latency is there only while the tunnel is connected.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 pkg/gateway/tunnel/metrics.go, pkg/gateway/tunnel/wireguard/metrics.go.
 */
export const TUNNEL_METRICS = {
  /** 1 or 0. */
  isConnected: 'liqo_peer_is_connected',
  latencyMicroseconds: 'liqo_peer_latency_us',
  /** The label with the cluster ID of the peer. */
  peerLabel: 'cluster_id',
} as const;

/**
 * Where each container answers Prometheus, and the name of that port, by which the chart's PodMonitor finds it. A chart
 * with metrics adds both to the templates of the gateways.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml,
 * liqo-gateway-podmonitor.yaml.
 */
export const METRICS_PORTS = {
  gateway: { port: 8082, name: 'gw-metrics' },
  wireguard: { port: 8084, name: 'wg-metrics' },
  geneve: { port: 8086, name: 'gv-metrics' },
} as const;
