import type { LinkId } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import type { Span } from '../../base/source/source.ts';
import type { Annotations, ClusterDeclaration, GitOps, ServiceType } from '../topology/declaration.ts';

export type { Located } from '../../base/source/source.ts';
export type {
  Annotations,
  ApiServer,
  ArgoSettings,
  Assertion,
  CidrRequest,
  ClusterGitOps,
  FluxSettings,
  Gateway,
  GitOps,
  Monitoring,
  PortRange,
  ServiceType,
  Toleration,
} from '../topology/declaration.ts';
export type { Selector } from '../topology/selector.ts';

/** The topology with names resolved and defaults filled in: everything but the addresses is decided. */
export interface NetworkModel {
  readonly fleet: Fleet;
  /** By name, in order of name (code units). Retired clusters are among them. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** In join order. No link has a retired end. */
  readonly links: readonly Link[];
}

export interface Fleet {
  readonly name: string;
  /** Last part of the topology's file name, for headers. */
  readonly topologyFile: string;
  readonly at: Span;
  readonly shortcutOperator: boolean;
  readonly emitConnections: boolean;
  readonly carve: { readonly from: readonly Prefix[]; readonly length: number; readonly at: Span };
  readonly gitops: GitOps | null;
}

/** A cluster as declared, with its hubs known by name. */
export interface Cluster extends Omit<ClusterDeclaration, 'hubs'> {
  /** The hubs that this cluster is a spoke of, in order of name; retired ones and itself are left out. */
  readonly hubs: readonly string[];
}

export type LinkKind = 'hub' | 'peering' | 'shortcut';

/** A network peering of two clusters: one tunnel, one server end, one client end. */
export interface Link {
  /**
   * Identity in the lock: `rome/europe`. A cluster that is new to the lock comes first, so that its lines are together;
   * without one the spoke of a hub link, else the name that sorts first.
   */
  readonly id: LinkId;
  readonly kind: LinkKind;
  /** Place in the order in which links were made; no two links share it. */
  readonly join: number;
  /** The text that declares the link. */
  readonly at: Span;
  readonly server: LinkEnd;
  readonly client: LinkEnd;
  readonly mtuBytes: number;
  readonly endpoint: Endpoint;
  /** For a shortcut the hubs that both ends share, in order of name; else empty. */
  readonly commonHubs: readonly string[];
}

/** A cluster with its gateway towards the other end. */
export interface LinkEnd {
  readonly cluster: Cluster;
  /** Public key of the gateway, canonical base64 of 32 bytes; `null` when the keys file has none. */
  readonly publicKey: string | null;
  /** The gateway has a key in its cluster, and the keys file only says so. */
  readonly hasUnknownKey: boolean;
  /** A gateway template that the user provides, instead of the chart's or the generated one. */
  readonly template: TemplateRef | null;
  /** Of the objects in this cluster for the other end. */
  readonly names: ObjectNames;
}

/** Names of the objects in a cluster for one peer. */
export interface ObjectNames {
  /** The tenant namespace, which has all of them. */
  readonly namespace: string;
  readonly configuration: string;
  /** Of the GatewayServer or GatewayClient. */
  readonly gateway: string;
  readonly publicKey: string;
  /** Of the Secret with the key pair of the gateway. */
  readonly secret: string;
}

export interface TemplateRef {
  readonly name: string;
  readonly namespace: string;
}

/** Where the server end listens and what the client dials. */
export interface Endpoint {
  /** What the client dials: an IPv4 address or a DNS name, and a UDP port. */
  readonly address: string;
  readonly port: number;
  readonly serviceType: ServiceType;
  /** `GatewayServer.spec.endpoint.port`. */
  readonly servicePort: number;
  /** `GatewayServer.spec.endpoint.nodePort`; `null` unless the Service is a NodePort one. */
  readonly nodePort: number | null;
  readonly loadBalancerIP: string | null;
  /** Of the Service: those of the server's gateway, with those of the link over them. */
  readonly serviceAnnotations: Annotations;
}

/** A gateway by its cluster and the peer that it is for. */
export interface GatewayOfLink {
  readonly cluster: string;
  readonly peer: string;
}

/**
 * The ends whose gateway has no public key, the server first; empty for a link that carries packets. The key of each end
 * goes into the PublicKey of the other, and a gateway without a PublicKey has no WireGuard peer: one missing key is enough
 * for a tunnel that never comes up. A key that is not known here is in its cluster and in that PublicKey, which stays.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/publickeys_controller.go.
 */
export const keylessEnds = ({ server, client }: Pick<Link, 'server' | 'client'>): readonly LinkEnd[] =>
  [server, client].filter((it) => it.publicKey === null && !it.hasUnknownKey);

/** The same by name. */
export function keylessGateways(link: Pick<Link, 'server' | 'client'>): readonly GatewayOfLink[] {
  const { server, client } = link;
  return keylessEnds(link).map((it) => ({
    cluster: it.cluster.name,
    peer: (it === server ? client : server).cluster.name,
  }));
}

/** True when both gateways of a link have a public key, so that packets pass. */
export const carriesPackets = (link: Pick<Link, 'server' | 'client'>): boolean => keylessEnds(link).length === 0;

/** UDP port on which WireGuard listens in the gateway pod of the server end. */
export const listenPortOf = ({ server, endpoint }: Link): number =>
  server.cluster.gateway.listenPort ?? endpoint.servicePort;
