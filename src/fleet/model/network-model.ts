import type { RecordedPair } from '../../base/core/key-pair.ts';
import type { LinkId } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import type { Span } from '../../base/source/source.ts';
import type {
  Annotations,
  Boundary,
  ClusterDeclaration,
  GitOps,
  KeySource,
  KeyStore,
  ServiceType,
} from '../topology/declaration.ts';

export type { Located } from '../../base/source/source.ts';
export type {
  Annotations,
  ApiServer,
  ArgoSettings,
  AssertedFlow,
  Assertion,
  CidrRequest,
  ClusterGitOps,
  FluxSettings,
  Gateway,
  GitOps,
  KeySource,
  KeyStore,
  Monitoring,
  PortRange,
  ServiceType,
  Toleration,
} from '../topology/declaration.ts';
export { type HelmValue, helmTree } from '../topology/helm-values.ts';
export { type Selector, selectClusters } from '../topology/selector.ts';

/** The topology with resolved names and default values: everything except the addresses is decided. */
export interface NetworkModel {
  readonly fleet: Fleet;
  /** Clusters by name, in order of name (code units), including retired ones. */
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** Links in join order. No link has a retired end. */
  readonly links: readonly Link[];
}

/** The namespace of the prober in every cluster, with `conformance: true`. */
export const PROBER_NAMESPACE = 'weft-conformance';

export interface Fleet {
  readonly name: string;
  /** Last part of the topology's file name, for headers. */
  readonly topologyFile: string;
  readonly at: Span;
  readonly shortcutOperator: boolean;
  readonly emitConnections: boolean;
  /** The place of the key pairs of gateways in a secret manager; `null` when they come in another way. */
  readonly keyStore: KeyStore | null;
  /** True when every cluster runs a prober. */
  readonly conformance: boolean;
  readonly carve: { readonly from: readonly Prefix[]; readonly length: number; readonly at: Span };
  readonly gitops: GitOps | null;
}

/** A declared cluster with the names of its hubs. */
export interface Cluster extends Omit<ClusterDeclaration, 'hubs'> {
  /** The hubs of this spoke, in order of name, without retired ones and itself. */
  readonly hubs: readonly string[];
}

export type LinkKind = 'hub' | 'peering' | 'shortcut';

/** A network peering of two clusters: one tunnel, one server end, one client end. */
export interface Link {
  /**
   * Identity in the lock, such as `rome/europe`. A cluster that is new to the lock comes first, so that its lines are
   * together; otherwise the spoke of a hub link, or the name that sorts first.
   */
  readonly id: LinkId;
  readonly kind: LinkKind;
  /** Position in the order in which links were created; no two links share it. */
  readonly join: number;
  /** The text that declares the link. */
  readonly at: Span;
  readonly server: LinkEnd;
  readonly client: LinkEnd;
  readonly mtuBytes: number;
  /** In both directions, instead of those of its clusters; `null` without the option. */
  readonly boundary: Boundary | null;
  readonly endpoint: Endpoint;
  /** The side that makes the Secrets with the key pairs of both gateways. */
  readonly keySource: KeySource;
  /** Number of times that the client end was made to connect again. */
  readonly nudge: number;
  /** The hubs that both ends of a shortcut share, in order of name; empty for other links. */
  readonly commonHubs: readonly string[];
  /** True for a link that has failed in a what-if: its addresses stay, and nothing passes. */
  readonly isOff?: true;
}

/** A cluster with its gateway towards the other end. */
export interface LinkEnd {
  readonly cluster: Cluster;
  /** Public key of the gateway, canonical base64 of 32 bytes; `null` when the keys file does not contain it. */
  readonly publicKey: string | null;
  /** True when the gateway has a key in its cluster, and the keys file marks it as unknown. */
  readonly hasUnknownKey: boolean;
  /** The generation of its key pair, which the name of its Secret contains, and the next one. */
  readonly keyPair: Omit<RecordedPair, 'key'>;
  /** A gateway template that the user provides, instead of the chart's or the generated one. */
  readonly template: TemplateRef | null;
  /** Names of the objects in this cluster for the other end. */
  readonly names: ObjectNames;
}

/** Names of the objects in a cluster for one peer. */
export interface ObjectNames {
  /** The tenant namespace, which contains all of them. */
  readonly namespace: string;
  readonly configuration: string;
  /** Name of the GatewayServer or GatewayClient. */
  readonly gateway: string;
  readonly publicKey: string;
  /** Name of the Secret with the key pair of the gateway. */
  readonly secret: string;
}

export interface TemplateRef {
  readonly name: string;
  readonly namespace: string;
}

/** The address on which the server end listens, and the one that the client dials. */
export interface Endpoint {
  /** The address that the client dials: an IPv4 address or a DNS name. */
  readonly address: string;
  readonly port: number;
  readonly serviceType: ServiceType;
  /** `GatewayServer.spec.endpoint.port`. */
  readonly servicePort: number;
  /** `GatewayServer.spec.endpoint.nodePort`; `null` unless the Service has type NodePort. */
  readonly nodePort: number | null;
  readonly loadBalancerIP: string | null;
  /** Annotations of the Service: those of the server's gateway, overridden by those of the link. */
  readonly serviceAnnotations: Annotations;
}

/** An end of a link, with the name of the cluster at the other end. */
export interface OwnEnd {
  readonly own: LinkEnd;
  readonly peer: string;
}

/** Both ends of a link, the server first. */
export const bothEnds = ({ server, client }: Pick<Link, 'server' | 'client'>): readonly OwnEnd[] => [
  { own: server, peer: client.cluster.name },
  { own: client, peer: server.cluster.name },
];

/** A gateway, identified by its cluster and its peer. */
export interface GatewayOfLink {
  readonly cluster: string;
  readonly peer: string;
}

/**
 * The ends whose gateway has no public key, the server first; empty for a link that carries packets. The PublicKey of
 * each end contains the key of the other, and a gateway without a PublicKey has no WireGuard peer: with one missing
 * key, the tunnel never comes up. A key that is not in the keys file exists in its cluster and in that PublicKey, which
 * stays. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/publickeys_controller.go.
 */
export const keylessEnds = ({ server, client }: Pick<Link, 'server' | 'client'>): readonly LinkEnd[] =>
  [server, client].filter((it) => it.publicKey === null && !it.hasUnknownKey);

/** The ends of `keylessEnds` by name. */
export function keylessGateways(link: Pick<Link, 'server' | 'client'>): readonly GatewayOfLink[] {
  const { server, client } = link;
  return keylessEnds(link).map((it) => ({
    cluster: it.cluster.name,
    peer: (it === server ? client : server).cluster.name,
  }));
}

/** True when both gateways of a link have a public key, so that packets pass; false for a link that is off. */
export const carriesPackets = (link: Pick<Link, 'server' | 'client' | 'isOff'>): boolean =>
  link.isOff !== true && keylessEnds(link).length === 0;

/** UDP port on which WireGuard listens in the gateway pod of the server end. */
export const listenPortOf = ({ server, endpoint }: Link): number =>
  server.cluster.gateway.listenPort ?? endpoint.servicePort;
