/** UDP port of the overlay between nodes and gateways. Source: liqotech/liqo@v1.2.0 pkg/consts/internalnetwork.go (DefaultGenevePort). */
export const GENEVE_PORT = 6091;

/**
 * Where each container of a gateway answers health probes.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
 */
export const HEALTH_PROBE_PORTS = { gateway: 8083, wireguard: 8085, geneve: 8087 } as const;

/** UDP port of a tunnel's server. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/forge/gatewayserver.go. */
export const DEFAULT_TUNNEL_PORT = 51840;

/** UDP port of the ping between two gateways. Source: liqotech/liqo@v1.2.0 pkg/gateway/connection/conncheck. */
export const PING_PORT = 12345;

/** Node ports of an API server without flags. Source: kubernetes/kubernetes@v1.32.0 pkg/kubeapiserver/options/options.go. */
export const NODE_PORTS = { first: 30_000, last: 32_767 } as const;

/** TCP port of an API server that Liqo finds by itself. Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go. */
export const API_SERVER_PORT = 6443;
