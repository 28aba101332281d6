/** UDP port of the overlay between nodes and gateways. Source: liqotech/liqo@v1.2.0 pkg/consts/internalnetwork.go (DefaultGenevePort). */
export const GENEVE_PORT = 6091;

/**
 * Where each container of a gateway answers health probes.
 * Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
 */
export const HEALTH_PROBE_PORTS = { gateway: 8083, wireguard: 8085, geneve: 8087 } as const;

/** UDP port of a tunnel's server. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/forge/gatewayserver.go. */
export const DEFAULT_TUNNEL_PORT = 51840;
