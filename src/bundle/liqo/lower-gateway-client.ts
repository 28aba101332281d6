import { NETWORKING_API } from '../../base/releases/api-versions.ts';
import { ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Manifest } from './manifest.ts';
import { aboutPeer } from './names.ts';
import { clientTemplateRef } from './template-refs.ts';

/** The client end of a tunnel. It dials one address: the chart's template uses only the first of the list. */
export function lowerGatewayClient(peer: Peer): Manifest {
  const { endpoint, mtuBytes } = peer.link;
  return {
    apiVersion: NETWORKING_API,
    kind: 'GatewayClient',
    metadata: aboutPeer(peer, 'gateway'),
    spec: {
      clientTemplateRef: {
        apiVersion: NETWORKING_API,
        kind: 'WgGatewayClientTemplate',
        ...clientTemplateRef(peer.link),
      },
      mtu: mtuBytes,
      endpoint: { addresses: [endpoint.address], port: endpoint.port, protocol: 'UDP' },
      secretRef: { name: ownEnd(peer).names.secret },
    },
  };
}
