/** The WireGuard device of a gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/const.go (TunnelInterfaceName). */
export const TUNNEL_INTERFACE = 'liqo-tunnel';

/** Liqo takes the interface of the default route in its controller's pod and assumes the same in gateways. */
export const DEFAULT_INTERFACE = 'eth0';

/**
 * The addresses of both ends of a tunnel, server first; the same in every gateway.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/netlink.go (ServerInterfaceIP, ClientInterfaceIP).
 */
export const TUNNEL_NETWORK = '169.254.18.0/30';
