import { configurations } from './configurations.ts';
import { connections } from './connections.ts';
import type { Controller } from './controller.ts';
import { gateways } from './gateways.ts';
import { internalFabrics } from './internal-fabrics.ts';
import { internalNodes } from './internal-nodes.ts';
import { ips } from './ips.ts';
import { kubelet } from './kubelet.ts';
import { networks } from './networks.ts';
import { remappings } from './remappings.ts';
import { tunnelRoutes } from './tunnel-routes.ts';
import { wireguardGateways } from './wireguard-gateways.ts';

/** Those of the networking module, and what a cluster has of its own that gateways need. */
export const CONTROLLERS: readonly Controller[] = [
  networks,
  configurations,
  remappings,
  ips,
  internalNodes,
  tunnelRoutes,
  gateways('GatewayServer'),
  gateways('GatewayClient'),
  wireguardGateways('WgGatewayServer'),
  wireguardGateways('WgGatewayClient'),
  kubelet,
  internalFabrics,
  connections,
];
