import type { Prefix } from '../net/prefix.ts';
import type { AllocatorKind } from '../releases/allocators.ts';
import type { Ping } from '../releases/ping.ts';
import type { Cni, FabricSettings, Platform } from '../releases/platforms.ts';
import type { Release } from '../releases/release.ts';
import type { ReleaseTraits } from '../releases/traits.ts';
import type { Located } from '../source/located.ts';
import type { Source, Span } from '../source/source.ts';

/** The topology with every text read and defaults merged; names are not resolved yet. */
export interface Declaration {
  readonly source: Source;
  readonly name: Located<string>;
  /** An earlier name of the fleet, whose bundles may be replaced. */
  readonly renamedFrom: string | undefined;
  readonly shortcutOperator: Located<boolean>;
  readonly emitConnections: boolean;
  readonly carve: { readonly from: readonly Located<Prefix>[]; readonly length: Located<number> };
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
  readonly nodePort: Located<number> | null;
  readonly address: Located<string> | null;
  readonly port: Located<number> | null;
  readonly template: { readonly server: TemplateName | null; readonly client: TemplateName | null };
  /** Annotations of the Service of this link alone; `null` without the key. */
  readonly serviceAnnotations: Located<Annotations> | null;
}

export type Annotations = Readonly<Record<string, string>>;

/** An entry of `sharing`, about every pair of different clusters that `consumer` and `provider` select. */
export interface SharingDeclaration {
  readonly at: Span;
  readonly consumer: Selector;
  readonly provider: Selector;
  /** At least one. */
  readonly slices: readonly SliceDeclaration[];
  readonly condition: TenantCondition;
  readonly auth: Authentication;
  /** Only with `auth: credentials`; `null` when the Secret is made by hand. */
  readonly credentials: CredentialsSource | null;
}

/** How a provider treats a consumer. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go. */
export type TenantCondition = 'Active' | 'Cordoned' | 'Drained';

/** How a consumer proves to a provider who it is. */
export type Authentication = 'handshake' | 'credentials';

/** A part of a provider's resources; the consumer gets a virtual node for it. */
export interface SliceDeclaration {
  readonly at: Span;
  /** `null` for the name that weft gives. */
  readonly name: Located<string> | null;
  readonly class: Located<string>;
  readonly resources: ResourceQuantities;
  /** What the consumer adds to the virtual node; `null` for nothing. */
  readonly virtualNode: VirtualNodeSettings | null;
}

/** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/virtualnode_types.go. */
export interface VirtualNodeSettings {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** `null` for what the chart says. */
  readonly createNode: boolean | null;
  readonly networkCheck: boolean | null;
  readonly runtimeClass: string | null;
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Where a secret manager finds the kubeconfig of a consumer. Source: external-secrets.io/v1 ExternalSecret. */
export interface CredentialsSource {
  readonly store: string;
  readonly storeKind: 'ClusterSecretStore' | 'SecretStore';
  /** May have `{consumer}` and `{provider}`. */
  readonly key: string;
  readonly property: string | null;
}

/** What consumers of a cluster see, and how its own virtual kubelets work: values of Liqo's chart. */
export interface ChartSettings {
  readonly lending: {
    readonly nodeLabels: Readonly<Record<string, string>>;
    readonly defaultResources: ResourceQuantities;
    readonly storageClass: string | null;
    /** The default one first. */
    readonly ingressClasses: readonly string[];
    readonly loadBalancerClasses: readonly string[];
    readonly limits: 'None' | 'Soft' | 'Hard' | null;
    readonly enforceResources: boolean | null;
  };
  readonly virtualKubelet: {
    readonly replicas: number | null;
    readonly args: readonly string[];
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly nodeLabels: Readonly<Record<string, string>>;
    readonly nodeAnnotations: Readonly<Record<string, string>>;
  };
  readonly reflection: {
    readonly ips: boolean | null;
    readonly skipLabels: readonly string[];
    readonly skipAnnotations: readonly string[];
    /** By kind, as the chart calls it; only what the topology sets. */
    readonly reflectors: Readonly<Record<string, Reflector>>;
  };
}

interface Reflector {
  readonly workers?: number;
  readonly type?: 'DenyList' | 'AllowList';
}

/** ResourceQuantities in canonical form by resource, in order of name. */
export type ResourceQuantities = readonly (readonly [resource: string, quantity: Located<string>])[];

/** An entry of `offloading`: one namespace of one cluster. */
export interface OffloadingDeclaration {
  readonly at: Span;
  readonly cluster: Located<string>;
  readonly namespace: Located<string>;
  /** `null` for every provider of the cluster. */
  readonly to: readonly Selector[] | null;
  readonly pods: Located<PodOffloading>;
  readonly remoteName: Located<string> | null;
  readonly createNamespace: boolean;
  /** Its Services have the annotation for direct connections. */
  readonly directConnections: boolean;
}

/** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go. */
export type PodOffloading = 'Local' | 'Remote' | 'LocalAndRemote';

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

/** One cluster by name, or all that have these labels. */
export type Selector =
  | { readonly kind: 'cluster'; readonly name: string; readonly at: Span }
  | { readonly kind: 'labels'; readonly labels: Readonly<Record<string, string>>; readonly at: Span };

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
  readonly serviceAnnotations: Annotations;
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
