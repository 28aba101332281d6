import type { Prefix } from '../net/prefix.ts';
import type { Span } from '../source/source.ts';
import type { Release } from './release.ts';

/** A value with the text that said it; a default points at the nearest text there is. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

/** Which way an address is chosen. `best-fit` is the allocator before Liqo 1.0 final. */
export type AllocatorKind = 'liqo-1.0' | 'liqo-1.2' | 'best-fit';

/** The topology with names resolved and defaults filled in: nothing optional is left, only addresses are open. */
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
  /** Name of the Secret with the WireGuard pair, in each tenant namespace. */
  readonly keySecretName: string;
  readonly gitops: GitOps | null;
}

export interface GitOps {
  readonly repository: string;
  readonly revision: string;
  /** Folder of the bundles in the repository, without a slash at either end. */
  readonly path: string;
  readonly argo: ArgoSettings | null;
  readonly flux: FluxSettings | null;
}

export interface ArgoSettings {
  readonly namespace: string;
  readonly project: string;
}

export interface FluxSettings {
  readonly namespace: string;
  /** Name of the GitRepository. */
  readonly source: string;
  /** Kustomizations that must be ready first, for instance the one that installs Liqo. */
  readonly dependsOn: readonly string[];
}

export interface Cluster {
  /** The Liqo cluster ID. */
  readonly name: string;
  readonly at: Span;
  readonly release: Release;
  readonly liqoNamespace: string;
  readonly image: { readonly registry: string; readonly tag: string };
  readonly allocator: AllocatorKind;
  /** In the order in which the IPAM tries them. */
  readonly pools: readonly Located<Prefix>[];
  readonly podCIDRs: readonly Located<Prefix>[];
  readonly serviceCIDR: Located<Prefix>;
  readonly external: CidrWish;
  readonly internal: CidrWish;
  readonly reserved: readonly Located<Prefix>[];
  readonly labels: Readonly<Record<string, string>>;
  readonly retired: boolean;
  /** The hubs that this cluster is a spoke of. */
  readonly hubs: readonly string[];
  readonly gateway: Gateway;
  readonly gitops: ClusterGitOps;
}

/** How a cluster gets its external or internal CIDR. `default` is Liqo's own, asked for by nobody. */
export type CidrWish =
  | { readonly kind: 'explicit'; readonly prefix: Prefix; readonly at: Span }
  | { readonly kind: 'default'; readonly prefix: Prefix; readonly at: Span }
  | { readonly kind: 'auto'; readonly at: Span };

export interface ClusterGitOps {
  /** Name of the cluster in Argo CD. */
  readonly name: string;
  /** URL of its API server, when Argo CD knows it by that. */
  readonly server: string | null;
  /** Secret with its kubeconfig, when one Flux serves several clusters. */
  readonly kubeConfigSecret: string | null;
}

export interface Gateway {
  /** What peers can dial; they dial the first. */
  readonly addresses: readonly Located<string>[];
  readonly service: ServiceType;
  /** Service ports, both ends included. */
  readonly ports: PortRange;
  readonly nodePorts: PortRange;
  readonly loadBalancerIP: string | null;
  readonly mtuBytes: Located<number>;
  readonly replicas: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly serviceAnnotations: Readonly<Record<string, string>>;
  /** What peers dial instead, behind NAT. */
  readonly dial: { readonly address: Located<string> | null; readonly port: Located<number> | null };
  readonly server: 'auto' | 'never' | 'prefer';
  /** Port that WireGuard listens on inside the pod when it differs from the Service's. */
  readonly listenPort: number | null;
  /** Settings of the gateway's own ping, `null` for Liqo's. */
  readonly ping: Ping | null;
}

export type ServiceType = 'NodePort' | 'LoadBalancer' | 'ClusterIP';

export interface PortRange {
  readonly first: number;
  readonly last: number;
  readonly at: Span;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly tolerationSeconds?: number;
}

export interface Ping {
  readonly enabled: boolean;
  readonly lossThreshold: number;
  /** Go durations, as Liqo's flags take them: `2s`. */
  readonly interval: string;
  readonly updateStatusInterval: string;
}

export type LinkKind = 'hub' | 'peering' | 'shortcut';

/** A network peering of two clusters: one tunnel, one server end, one client end. */
export interface Link {
  /** Identity in the lock: `rome/europe`. The spoke of a hub link comes first, else the name that sorts first. */
  readonly id: string;
  readonly kind: LinkKind;
  /** Place in the order in which links were made; no two links share it. */
  readonly join: number;
  /** The text that asks for the link. */
  readonly at: Span;
  /** Cluster names. */
  readonly server: string;
  readonly client: string;
  readonly mtuBytes: number;
  readonly endpoint: Endpoint;
  /** Public key (canonical base64 of 32 bytes) of each end's own gateway; `null` when the keys file has none. */
  readonly publicKeys: { readonly server: string | null; readonly client: string | null };
  /** A gateway template somebody else provides, instead of the chart's or ours. */
  readonly templates: { readonly server: TemplateRef | null; readonly client: TemplateRef | null };
  /** For a shortcut the hubs that both ends share, in order of name; else empty. */
  readonly commonHubs: readonly string[];
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
}
