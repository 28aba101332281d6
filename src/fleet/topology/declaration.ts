import type { Acceptance } from '../../base/diagnostics/diagnostic.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import type { AllocatorKind } from '../../base/releases/allocators.ts';
import type { Ping } from '../../base/releases/gateways.ts';
import type { Cni, FabricSettings, Platform } from '../../base/releases/platforms.ts';
import type { Release } from '../../base/releases/release.ts';
import type { ReleaseTraits } from '../../base/releases/traits.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';
import type { Selector } from './selector.ts';
import type {
  ChartSettings,
  OffloadingDeclaration,
  ResourceQuantities,
  SharingDeclaration,
} from './sharing-declaration.ts';

/** The topology with every text read and defaults merged; names are not resolved yet. */
export interface Declaration {
  readonly source: Source;
  readonly name: Located<string>;
  /** An earlier name of the fleet, whose bundles may be replaced. */
  readonly renamedFrom: string | undefined;
  readonly shortcutOperator: Located<boolean>;
  readonly emitConnections: boolean;
  readonly carve: { readonly from: readonly Located<Prefix>[]; readonly length: Located<number> };
  /** Of the Secret of each gateway, where `{peer}` stands for the cluster at the other end. */
  readonly keySecretName: Located<string>;
  readonly gitops: GitOps | null;
  readonly hubs: readonly Located<string>[];
  readonly peerings: readonly LinkDeclaration[];
  readonly shortcuts: readonly LinkDeclaration[];
  /** The order in which the links of new clusters join. */
  readonly order: readonly Located<string>[];
  /** Who lends resources to whom. */
  readonly sharing: readonly SharingDeclaration[];
  /** Namespaces whose pods may run in providers. */
  readonly offloading: readonly OffloadingDeclaration[];
  /** What must hold in the compiled network. */
  readonly assertions: readonly Assertion[];
  /** The same about Services. */
  readonly serviceAssertions: readonly ServiceAssertion[];
  /** Warnings and notes that have been decided. */
  readonly acceptances: readonly Acceptance[];
  /** Every key of `clusters`, in source order, also of clusters that could not be read. */
  readonly names: readonly Located<string>[];
  /** In source order; clusters with unreadable parts are left out, which is an error of its own. */
  readonly clusters: readonly ClusterDeclaration[];
}

/** An entry of `peerings` or `shortcuts`. */
export interface LinkDeclaration {
  readonly at: Span;
  readonly between: readonly [Located<string>, Located<string>];
  readonly server: Located<string> | null;
  readonly mtuBytes: Located<number> | null;
  /** Of the server end, instead of what its cluster sets. */
  readonly service: Located<ServiceType> | null;
  readonly servicePort: Located<number> | null;
  readonly nodePort: Located<number> | null;
  readonly loadBalancerIP: Located<string> | null;
  readonly address: Located<string> | null;
  readonly port: Located<number> | null;
  /** Names of objects that exist already; at most one entry for each end. */
  readonly names: readonly NamesDeclaration[];
  readonly template: { readonly server: TemplateName | null; readonly client: TemplateName | null };
  /** Annotations of the Service of this link alone; `null` without the key. */
  readonly serviceAnnotations: Located<Annotations> | null;
}

/** Names of the objects in one cluster for the cluster at the other end; `null` for the usual name. */
export interface NamesDeclaration {
  readonly cluster: Located<string>;
  readonly namespace: Located<string> | null;
  readonly configuration: Located<string> | null;
  readonly gateway: Located<string> | null;
  readonly publicKey: Located<string> | null;
  readonly secret: Located<string> | null;
}

export type Annotations = Readonly<Record<string, string>>;

/** An entry of `assertions`, about every pair of different clusters that `from` and `to` select. */
export interface Assertion {
  readonly at: Span;
  readonly from: Selector;
  readonly to: Selector;
  readonly expect: 'reachable' | 'unreachable';
  /** `null`: over any path. */
  readonly via: 'shortcut' | 'hub' | null;
}

/** An entry of `assertions` about a Service of an offloaded namespace, for every cluster that `from` selects. */
export interface ServiceAssertion extends Omit<Assertion, 'to'> {
  readonly to: {
    readonly namespace: string;
    readonly service: string;
    /** The cluster that offloads the namespace; `null` where only one does. */
    readonly of: Located<string> | null;
    readonly at: Span;
  };
}

/** A gateway template by name; without a namespace it is in the cluster's Liqo namespace. */
export interface TemplateName {
  readonly name: string;
  readonly namespace: string | null;
}

/** One cluster with the defaults merged in and every text read. */
export interface ClusterDeclaration {
  /** The Liqo cluster ID. */
  readonly name: string;
  readonly at: Span;
  readonly release: Release;
  /** The traits of that release. */
  readonly traits: ReleaseTraits;
  readonly liqoNamespace: string;
  readonly image: { readonly registry: string; readonly tag: string };
  readonly allocator: AllocatorKind;
  /** In the order in which the IPAM tries them. */
  readonly pools: readonly Located<Prefix>[];
  readonly podCIDRs: readonly Located<Prefix>[];
  readonly serviceCIDR: Located<Prefix>;
  readonly external: CidrRequest;
  readonly internal: CidrRequest;
  readonly reserved: readonly Located<Prefix>[];
  readonly labels: Readonly<Record<string, string>>;
  readonly platform: Located<Platform> | null;
  readonly cni: Located<Cni> | null;
  /** What follows from these two for the nodes. */
  readonly fabric: FabricSettings;
  /** `null`: Liqo finds the address of a control plane node. */
  readonly apiServer: ApiServer | null;
  /** What it can lend in all; empty where the topology does not limit it. */
  readonly capacity: ResourceQuantities;
  readonly retired: boolean;
  /** The name that the cluster had before, under which the lock and the keys file may still record it. */
  readonly renamedFrom: Located<string> | null;
  /** The hubs that the cluster names itself; `null` when the `hub` of the fleet applies. */
  readonly hubs: readonly Located<string>[] | null;
  readonly gateway: Gateway;
  /** `null` for a cluster without alerts. */
  readonly monitoring: Monitoring | null;
  readonly chart: ChartSettings;
  readonly gitops: ClusterGitOps;
}

/** Where peers reach the API server of a cluster, outside the tunnels. */
export interface ApiServer {
  /** As written. */
  readonly address: Located<string>;
  /** With `https://`, as Liqo gives it to peers. */
  readonly url: string;
  /** PEM of the authority, in base64; `null` for the one that Liqo uses itself, and for a public one. */
  readonly ca: string | null;
  readonly trustedCA: boolean;
}

/** Alerts on the tunnels of a cluster. Durations are texts of Prometheus. */
export interface Monitoring {
  readonly at: Span;
  /** Of the PrometheusRules; `null` for the one that Liqo runs in. */
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly downFor: string;
  readonly latencyAboveMilliseconds: number;
  readonly latencyFor: string;
}

export interface GitOps {
  readonly repository: string;
  readonly revision: string;
  /** Folder of the bundles in the repository, as in `out` or `fleets/europe/out`; empty for its root. */
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
  /**
   * Whether a dependency can have an expression of its own.
   * Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (`readyExpr`, since 1.7, which is part of Flux 2.7).
   */
  readonly evaluatesReadyExpr: boolean;
  /** Name of the GitRepository. */
  readonly source: string;
  /** Kustomizations that must be ready first, for instance the one that installs Liqo. */
  readonly dependsOn: readonly string[];
}

/** How a cluster gets its external or internal CIDR. `default` is Liqo's own, where the topology sets none. */
export type CidrRequest =
  | { readonly kind: 'explicit'; readonly prefix: Prefix; readonly at: Span }
  | { readonly kind: 'default'; readonly prefix: Prefix; readonly at: Span }
  | { readonly kind: 'auto'; readonly at: Span };

export interface ClusterGitOps {
  /** Name of the cluster in Argo CD. */
  readonly name: string;
  /** URL of its API server, when Argo CD identifies the cluster by that. */
  readonly server: string | null;
  /** Secret with its kubeconfig, when one Flux serves several clusters. */
  readonly kubeConfigSecret: string | null;
}

export interface Gateway {
  /** The addresses that peers can dial; they dial the first. */
  readonly addresses: readonly Located<string>[];
  readonly service: ServiceType;
  /** Service ports, both ends included. */
  readonly ports: PortRange;
  readonly nodePorts: PortRange;
  readonly loadBalancerIP: string | null;
  readonly loadBalancerClass: string | null;
  /** Whether every node answers for the gateways, or only the one that runs the active pod. */
  readonly externalTrafficPolicy: Located<TrafficPolicy>;
  /** Whether a load balancer gets node ports, as Kubernetes does by itself. */
  readonly allocatesNodePorts: boolean;
  readonly mtuBytes: Located<number>;
  readonly replicas: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  /** Of every Service. */
  readonly serviceAnnotations: Annotations;
  /** What the platform adds to those of load balancers. */
  readonly loadBalancerAnnotations: Annotations;
  /** The address and port that peers dial instead, behind NAT. */
  readonly dial: { readonly address: Located<string> | null; readonly port: Located<number> | null };
  readonly server: 'auto' | 'never' | 'prefer';
  /** Port that WireGuard listens on inside the pod when it differs from the Service's. */
  readonly listenPort: number | null;
  /** Settings of the gateway's own ping, `null` for Liqo's. */
  readonly ping: Ping | null;
}

export type ServiceType = 'NodePort' | 'LoadBalancer' | 'ClusterIP';

type TrafficPolicy = 'Cluster' | 'Local';

export interface PortRange {
  readonly first: number;
  readonly last: number;
  readonly at: Span;
  /** True for the range that replaces one that could not be read; nothing is compiled from it. */
  readonly isUnread?: true;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly tolerationSeconds?: number;
}
