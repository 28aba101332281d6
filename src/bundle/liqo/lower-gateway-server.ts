import { sortedRecord } from '../../base/core/order.ts';
import { NETWORKING_API } from '../../base/releases/api-versions.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Annotations } from '../../fleet/model/network-model.ts';
import type { Manifest } from './manifest.ts';
import { aboutPeer } from './names.ts';
import { serverTemplateRef } from './template-refs.ts';

/** The server end of a tunnel. MTU and ports are always set: Liqo reads an absent one as 0. */
export function lowerGatewayServer(cluster: AddressedCluster, peer: Peer): Manifest {
  const { endpoint, mtuBytes } = peer.link;
  return {
    apiVersion: NETWORKING_API,
    kind: 'GatewayServer',
    metadata: aboutPeer(peer, 'gateway'),
    spec: {
      serverTemplateRef: {
        apiVersion: NETWORKING_API,
        kind: 'WgGatewayServerTemplate',
        ...serverTemplateRef(peer.link),
      },
      mtu: mtuBytes,
      endpoint: {
        port: endpoint.servicePort,
        serviceType: endpoint.serviceType,
        nodePort: endpoint.nodePort ?? undefined,
        loadBalancerIP: endpoint.loadBalancerIP ?? undefined,
      },
      secretRef: { name: ownEnd(peer).names.secret },
      serviceAnnotations: serviceAnnotations(cluster, endpoint.serviceAnnotations),
    },
  };
}

/** The field exists since 1.2; before 1.2 a gateway template of ours has the annotations. */
function serviceAnnotations({ traits }: AddressedCluster, annotations: Annotations): Annotations | undefined {
  const some = Object.keys(annotations).length > 0;
  return some && traits.annotatesGatewayServices ? sortedRecord(annotations) : undefined;
}
