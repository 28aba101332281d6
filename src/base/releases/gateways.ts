/**
 * The UDP port of the overlay between nodes and gateways.
 * Source: liqotech/liqo@v1.2.0 pkg/consts/internalnetwork.go (DefaultGenevePort).
 */
export const GENEVE_PORT = 6091;

/**
 * The ports on which the containers of a gateway answer health probes.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
 */
export const HEALTH_PROBE_PORTS = { gateway: 8083, wireguard: 8085, geneve: 8087 } as const;

/**
 * The UDP port of a tunnel's server.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/forge/gatewayserver.go.
 */
export const DEFAULT_TUNNEL_PORT = 51840;

/**
 * The UDP port of the ping between two gateways.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/connection/conncheck.
 */
export const PING_PORT = 12345;

/**
 * The node ports of an API server without flags.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/kubeapiserver/options/options.go.
 */
export const NODE_PORTS = { first: 30_000, last: 32_767 } as const;

/**
 * The TCP port of an API server that Liqo discovers.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go.
 */
export const API_SERVER_PORT = 6443;

/**
 * The WireGuard device of a gateway.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/const.go (TunnelInterfaceName).
 */
export const TUNNEL_INTERFACE = 'liqo-tunnel';

/**
 * The default network interface. Liqo uses the interface of the default route in its controller's pod and assumes the
 * same one in gateways.
 */
export const DEFAULT_INTERFACE = 'eth0';

/**
 * The addresses of both ends of a tunnel, server first; the same in every gateway.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/netlink.go (ServerInterfaceIP, ClientInterfaceIP).
 */
export const TUNNEL_NETWORK = '169.254.18.0/30';

/** Settings of the ping by which a gateway checks its tunnel. */
export interface Ping {
  readonly enabled: boolean;
  /** The number of consecutive pings that may fail before the connection is lost. */
  readonly lossThreshold: number;
  /** Go durations, in the form of Liqo's flags: `2s`. */
  readonly interval: string;
  readonly updateStatusInterval: string;
}

/**
 * The keys of a gateway for which the chart's templates have no place, so that a template of weft is needed where one is set: of
 * the pods of both ends, or of a server and its Service. Plans name those of pods first, in this order.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml.
 */
export const TEMPLATE_SETTINGS = {
  replicas: 'pods',
  nodeSelector: 'pods',
  tolerations: 'pods',
  ping: 'pods',
  listenPort: 'server',
  externalTrafficPolicy: 'server',
  loadBalancerClass: 'server',
  allocateLoadBalancerNodePorts: 'server',
} as const;

export type TemplateSetting = keyof typeof TEMPLATE_SETTINGS;

/** Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/values.yaml (networking.gatewayTemplates.ping). */
export const LIQO_PING: Ping = { enabled: true, lossThreshold: 5, interval: '2s', updateStatusInterval: '10s' };

// Metrics that gateways export to Prometheus, the same in every release that weft supports.

/**
 * Metrics of the container `wireguard` of each gateway. While the gateway has no peer, or its Connection is missing,
 * the whole response is an error, so the metrics are missing, too. The latency exists only while the tunnel is
 * connected.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 pkg/gateway/tunnel/metrics.go, pkg/gateway/tunnel/wireguard/metrics.go.
 */
export const TUNNEL_METRICS = {
  /** The value is 1 or 0. */
  isConnected: 'liqo_peer_is_connected',
  latencyMicroseconds: 'liqo_peer_latency_us',
  /** The label with the cluster ID of the peer. */
  peerLabel: 'cluster_id',
} as const;

/**
 * The port on which each container exports metrics, and the name of that port, by which the chart's PodMonitor finds
 * it. A chart with metrics adds both to the templates of the gateways.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml,
 * liqo-gateway-podmonitor.yaml.
 */
export const METRICS_PORTS = {
  gateway: { port: 8082, name: 'gw-metrics' },
  wireguard: { port: 8084, name: 'wg-metrics' },
  geneve: { port: 8086, name: 'gv-metrics' },
} as const;
