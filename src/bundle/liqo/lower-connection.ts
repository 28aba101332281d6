import { NETWORKING_API } from '../../base/releases/api-versions.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import { ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Manifest } from './manifest.ts';
import { gatewayResourceName } from './names.ts';

/**
 * The Connection as the gateway pod writes it once the tunnel is up, without the values that exist at run time only:
 * the owner, the gateway's UID, the latency.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/k8s.go (EnsureConnection).
 */
export function lowerConnection(peer: Peer): Manifest {
  const server = peer.role === 'server';
  const { namespace, gateway } = ownEnd(peer).names;
  return {
    apiVersion: NETWORKING_API,
    kind: 'Connection',
    metadata: {
      name: gatewayResourceName(gateway),
      namespace,
      labels: { [REMOTE_CLUSTER_LABEL]: peer.name },
    },
    spec: {
      type: server ? 'Server' : 'Client',
      gatewayRef: {
        apiVersion: NETWORKING_API,
        kind: server ? 'WgGatewayServer' : 'WgGatewayClient',
        name: gateway,
        namespace,
      },
    },
    status: { value: 'Connected' },
  };
}
