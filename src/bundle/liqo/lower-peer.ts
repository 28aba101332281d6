import { sortedRecord } from '../../base/core/collections.ts';
import { nameOfGeneration } from '../../base/core/key-pair.ts';
import { printPrefix } from '../../base/net/text.ts';
import {
  GATEWAY_RESOURCE_LABEL,
  NETWORKING_API,
  NUDGE_ANNOTATION,
  REMOTE_CLUSTER_LABEL,
  TENANT_NAMESPACE_LABEL,
  VIEW_ANNOTATIONS,
} from '../../base/releases/labels.ts';
import { type AddressedCluster, namespaceIn, ownEnd, type Peer, remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import type { Annotations, Fleet, KeyStore } from '../../fleet/model/network-model.ts';
import { nextSecretOf } from '../../fleet/model/object-names.ts';
import { clientTemplateRef, serverTemplateRef } from './gateway-settings.ts';
import { aboutPeer, externalSecret, type Field, gatewayResourceName, type Manifest } from './manifest.ts';

/** Every object that `cluster` needs for one peer, in the order of the file: the namespace first. */
export function lowerPeer(cluster: AddressedCluster, peer: Peer, fleet: Fleet): readonly Manifest[] {
  const publicKey = lowerPublicKey(peer);
  return [
    lowerNamespace(cluster, peer.name),
    ...(publicKey === undefined ? [] : [publicKey]),
    lowerConfiguration(peer),
    ...(fleet.keyStore === null ? [] : lowerKeys(cluster, peer, fleet.keyStore)),
    peer.role === 'server' ? lowerGatewayServer(cluster, peer) : lowerGatewayClient(peer),
    ...(fleet.emitConnections ? [lowerConnection(peer)] : []),
  ];
}

/** The namespace for a remote cluster: Liqo finds it by its two labels. */
export function lowerNamespace(cluster: AddressedCluster, remote: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceIn(cluster, remote),
      labels: {
        [REMOTE_CLUSTER_LABEL]: remote,
        [TENANT_NAMESPACE_LABEL]: 'true',
        // The gateway pod is privileged, which Pod Security Admission refuses without these labels.
        // Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/namespaceManager.go.
        'pod-security.kubernetes.io/audit': 'privileged',
        'pod-security.kubernetes.io/enforce': 'privileged',
        'pod-security.kubernetes.io/warn': 'privileged',
      },
    },
  };
}

/** The key of the gateway at the other end, which the gateway pod reads. `undefined` while that key is unknown. */
function lowerPublicKey(peer: Peer): Manifest | undefined {
  const { publicKey } = remoteEnd(peer);
  if (publicKey === null) return undefined;
  return {
    apiVersion: NETWORKING_API,
    kind: 'PublicKey',
    metadata: {
      ...aboutPeer(peer, 'publicKey', { [GATEWAY_RESOURCE_LABEL]: 'true' }),
      ...nudgeOf(peer),
    },
    spec: { publicKey },
  };
}

/**
 * At the client end alone: before Liqo 1.2 a server would forget the address and the session of its client, which is a silence
 * of 15 seconds. Source: liqotech/liqo@v1.1.2 pkg/gateway/tunnel/wireguard/device.go.
 */
const nudgeOf = ({ role, link: { nudge } }: Peer) =>
  role === 'client' && nudge > 0 ? { annotations: { [NUDGE_ANNOTATION]: String(nudge) } } : {};

/**
 * The key pairs of the gateway, from a secret manager: the one in use, and the next one, which Liqo must not find: it
 * searches for both labels. One of them is in every template, because Kubernetes 1.35 refuses a server-side apply that takes
 * the last one away, as the revert of a rotation would. The store has base64, and the Secret the raw bytes. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/wireguard.
 */
function lowerKeys({ name: cluster }: AddressedCluster, peer: Peer, keyStore: KeyStore): readonly Manifest[] {
  const { store, storeKind, key } = keyStore;
  const own = ownEnd(peer);
  const { names, keyPair } = own;
  const first = key.replaceAll('{cluster}', cluster).replaceAll('{peer}', peer.name);
  const ofPeer = { [REMOTE_CLUSTER_LABEL]: peer.name };
  const pairs = [
    { name: names.secret, generation: keyPair.generation, labels: { [GATEWAY_RESOURCE_LABEL]: 'true', ...ofPeer } },
    { name: nextSecretOf(own), generation: keyPair.generation + 1, labels: ofPeer },
  ];
  return pairs.slice(0, keyPair.next === null ? 1 : 2).map(({ name, generation, labels }) =>
    externalSecret({
      ...{ name, namespace: names.namespace, store, storeKind, metadata: { labels } },
      data: ['privateKey', 'publicKey'].map((property) => ({
        ...({ secretKey: property, property, decodingStrategy: 'Base64' } as const),
        key: nameOfGeneration(first, generation),
      })),
    }),
  );
}

/** The server end of a tunnel. MTU and ports are always set: Liqo reads an absent one as 0. */
function lowerGatewayServer(cluster: AddressedCluster, peer: Peer): Manifest {
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
      secretRef: secretRef(peer),
      serviceAnnotations: serviceAnnotations(cluster, endpoint.serviceAnnotations),
    },
  };
}

/** Without a reference the gateway makes a key pair of its own, in a Secret in its namespace. */
const secretRef = (peer: Peer): Field | undefined =>
  peer.link.keySource === 'liqo' ? undefined : { name: ownEnd(peer).names.secret };

/** The field exists since 1.2; before 1.2 a gateway template of ours has the annotations. */
function serviceAnnotations({ traits }: AddressedCluster, annotations: Annotations): Annotations | undefined {
  const some = Object.keys(annotations).length > 0;
  return some && traits.annotatesGatewayServices ? sortedRecord(annotations) : undefined;
}

/** The client end of a tunnel. It dials one address: the chart's template uses only the first of the list. */
function lowerGatewayClient(peer: Peer): Manifest {
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
      secretRef: secretRef(peer),
    },
  };
}

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

/**
 * The CIDRs that the remote cluster uses itself. `spec.local` is left out: Liqo's controller sets it from the statuses
 * of the local Networks. The annotations are the expected views: a status is not applied, so health checks of GitOps
 * tools read them from there.
 */
export function lowerConfiguration(peer: Peer): Manifest {
  const views = seenNetworks(peer).cidr;
  return {
    apiVersion: NETWORKING_API,
    kind: 'Configuration',
    metadata: {
      ...aboutPeer(peer, 'configuration'),
      annotations: {
        [VIEW_ANNOTATIONS.external]: views.external.join(','),
        [VIEW_ANNOTATIONS.pod]: views.pod.join(','),
      },
    },
    spec: { remote: remoteNetworks(peer) },
  };
}

/** The CIDRs that the remote cluster announces. */
export const remoteNetworks = (peer: Peer): Field => ({
  cidr: {
    pod: peer.podViews.map((it) => printPrefix(it.cidr)),
    external: [printPrefix(peer.externalView.cidr)],
  },
});

/** The cluster's views of these CIDRs, in the same order. */
export const seenNetworks = (peer: Peer) => ({
  cidr: {
    pod: peer.podViews.map((it) => printPrefix(it.seenAs)),
    external: [printPrefix(peer.externalView.seenAs)],
  },
});
