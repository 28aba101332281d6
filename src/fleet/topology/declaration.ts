import type { Acceptance } from '../../base/diagnostics/diagnostic.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import type { AllocatorKind } from '../../base/releases/allocators.ts';
import type { Ping } from '../../base/releases/gateways.ts';
import type { Cni, FabricSettings, Platform } from '../../base/releases/platforms.ts';
import type { Release } from '../../base/releases/release.ts';
import type { ReleaseTraits } from '../../base/releases/traits.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';
import type { HelmValue } from './helm-values.ts';
import type { Selector } from './selector.ts';
import type {
  CredentialsSource,
  OffloadingDeclaration,
  ResourceQuantities,
  SharingDeclaration,
} from './sharing-declaration.ts';

/** The parsed topology with merged defaults; names are not resolved yet. */
export interface Declaration {
  readonly source: Source;
  readonly name: Located<string>;
  /** An earlier name of the fleet, whose bundles may be replaced. */
  readonly renamedFrom: string | undefined;
  readonly shortcutOperator: Located<boolean>;
  readonly emitConnections: boolean;
  /** True when every cluster runs a prober. */
  readonly conformance: boolean;
  readonly carve: { readonly from: readonly Located<Prefix>[]; readonly length: Located<number> };
  /** The side that makes the Secrets with the key pairs of gateways. */
  readonly keySource: KeySource;
  /** The place of the key pairs in a secret manager, with `{cluster}` and `{peer}` in its key; `null` without one. */
  readonly keyStore: KeyStore | null;
  /** The name of each gateway's Secret, with `{peer}` for the cluster at the other end. */
  readonly keySecretName: Located<string>;
  readonly gitops: GitOps | null;
  readonly hubs: readonly Located<string>[];
  readonly peerings: readonly LinkDeclaration[];
  readonly shortcuts: readonly LinkDeclaration[];
  /** The order in which the links of new clusters join. */
  readonly order: readonly Located<string>[];
  /** The loans of resources. */
  readonly sharing: readonly SharingDeclaration[];
  /** Namespaces whose pods may run in providers. */
  readonly offloading: readonly OffloadingDeclaration[];
  /** The connections that may cross closed links, without entries that have unreadable parts, which are reported as errors. */
  readonly boundaries: readonly BoundaryDeclaration[];
  /** Required properties of the compiled network. */
  readonly assertions: readonly Assertion[];
  /** Required properties of Services. */
  readonly serviceAssertions: readonly ServiceAssertion[];
  /** Accepted warnings and notes. */
  readonly acceptances: readonly Acceptance[];
  /** Every key of `clusters`, in source order, including unreadable clusters. */
  readonly names: readonly Located<string>[];
  /** In source order, without clusters that have unreadable parts, which are reported as errors. */
  readonly clusters: readonly ClusterDeclaration[];
}

/** The maker of the Secret with the key pair of a gateway: its user, Liqo in the cluster, or the External Secrets Operator. */
export type KeySource = 'provided' | 'liqo' | 'external';

/** The place of key pairs in a secret manager. */
export type KeyStore = Omit<CredentialsSource, 'property'>;

/** An entry of `peerings` or `shortcuts`. */
export interface LinkDeclaration {
  readonly at: Span;
  readonly between: readonly [Located<string>, Located<string>];
  readonly server: Located<string> | null;
  readonly mtuBytes: Located<number> | null;
  /** In both directions, instead of those of its clusters; `null` without the key. */
  readonly boundary: Boundary | null;
  /** These override the settings of the server's cluster. */
  readonly service: Located<ServiceType> | null;
  readonly servicePort: Located<number> | null;
  readonly nodePort: Located<number> | null;
  readonly loadBalancerIP: Located<string> | null;
  readonly address: Located<string> | null;
  readonly port: Located<number> | null;
  /** Names of existing objects; at most one entry for each end. */
  readonly names: readonly NamesDeclaration[];
  readonly template: { readonly server: TemplateName | null; readonly client: TemplateName | null };
  /** Annotations of this link's Service only; `null` without the key. */
  readonly serviceAnnotations: Located<Annotations> | null;
}

/** Names of the objects in one cluster for its peer; `null` for the usual name. */
export interface NamesDeclaration {
  readonly cluster: Located<string>;
  readonly namespace: Located<string> | null;
  readonly configuration: Located<string> | null;
  readonly gateway: Located<string> | null;
  readonly publicKey: Located<string> | null;
  readonly secret: Located<string> | null;
}

export type Annotations = Readonly<Record<string, string>>;

/** `closed` when connections over a link need an entry of `boundaries`. */
export type Boundary = 'open' | 'closed';

/** An entry of `boundaries`, about every pair of different clusters that `from` and `to` select. */
export interface BoundaryDeclaration {
  readonly at: Span;
  readonly from: Selector;
  readonly fromNamespace: Located<string> | null;
  readonly fromCIDR: Located<Prefix> | null;
  /** True for what arrives under the external address of the sender, instead of a pod's. */
  readonly masqueraded: Located<boolean>;
  readonly to: Selector;
  readonly toNamespace: Located<string> | null;
  /** The labels of the pods of `toNamespace` that are reached; `null` for all of its pods. */
  readonly toPods: PodLabels | null;
  readonly toCIDR: Located<Prefix> | null;
  /** `null` for every protocol. */
  readonly protocol: Protocol | null;
  /** Empty for every port. */
  readonly ports: readonly PortSpan[];
  readonly portsAt: Span;
}

export type Protocol = 'TCP' | 'UDP';

export type PodLabels = Readonly<Record<string, string>>;

/** Ports, both ends included. */
export interface PortSpan {
  readonly first: number;
  readonly last: number;
}

/** An entry of `assertions`, about every pair of different clusters that `from` and `to` select. */
export interface Assertion {
  readonly at: Span;
  readonly from: Selector;
  readonly to: Selector;
  readonly expect: 'reachable' | 'unreachable';
  /** `null` for any path. */
  readonly via: 'shortcut' | 'hub' | null;
  /** The reason why it must be unreachable: fences or policies that refuse it, or the lack of a path; `null` for any. */
  readonly by: 'fence' | 'policy' | 'no-path' | null;
  /** The connections that it is about; absent for any. */
  readonly flow?: AssertedFlow;
  /** The part that may fail; `null` when the requirement is about all parts together. */
  readonly without: FailedPart | null;
}

/** Connections between namespaces, to a port; `null` for any. */
export interface AssertedFlow {
  readonly fromNamespace: string | null;
  readonly toNamespace: string | null;
  readonly protocol: Protocol | null;
  readonly port: number | null;
}

/** A part of the fleet that may fail. */
export interface FailedPart {
  /** Any part of a kind; `null` for the one that the text names. */
  readonly any: 'link' | 'gateway' | 'cluster' | null;
  readonly text: Located<string>;
}

/** An entry of `assertions` about a Service of an offloaded namespace, for every cluster that `from` selects. */
export interface ServiceAssertion extends Omit<Assertion, 'to'> {
  readonly to: {
    readonly namespace: string;
    readonly service: string;
    /** The cluster that offloads the namespace; `null` when only one does. */
    readonly of: Located<string> | null;
    readonly at: Span;
  };
}

/** A gateway template by name; without a namespace it is in the cluster's Liqo namespace. */
export interface TemplateName {
  readonly name: string;
  readonly namespace: string | null;
}

/** One parsed cluster with merged defaults. */
export interface ClusterDeclaration {
  readonly name: string;
  readonly at: Span;
  readonly release: Release;
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
  /** The settings of the nodes that result from `platform` and `cni`. */
  readonly fabric: FabricSettings;
  /** `null` when Liqo detects the address of a control plane node. */
  readonly apiServer: ApiServer | null;
  /** The total resources that it can lend; empty when the topology sets no limit. */
  readonly capacity: ResourceQuantities;
  readonly retired: boolean;
  /** For what its peers send; `null` without the key. */
  readonly boundary: Boundary | null;
  /** The previous name of the cluster, which the lock and the keys file may still contain. */
  readonly renamedFrom: Located<string> | null;
  /** The cluster's own hubs; `null` when the `hub` of the fleet applies. */
  readonly hubs: readonly Located<string>[] | null;
  readonly gateway: Gateway;
  /** `null` for a cluster without alerts. */
  readonly monitoring: Monitoring | null;
  /** The values of Liqo's chart that the topology sets. */
  readonly helmValues: readonly HelmValue[];
  readonly gitops: ClusterGitOps;
}

/** The API server of a cluster, as peers reach it outside the tunnels. */
export interface ApiServer {
  /** The text in the topology. */
  readonly address: Located<string>;
  /** With `https://`, in the form that Liqo gives to peers. */
  readonly url: string;
  /** PEM of the authority, in base64; `null` for Liqo's default, and for a public one. */
  readonly ca: string | null;
  readonly trustedCA: boolean;
}

/** Alerts on the tunnels of a cluster. Durations are texts of Prometheus. */
export interface Monitoring {
  readonly at: Span;
  /** The namespace of the PrometheusRules; `null` for Liqo's namespace. */
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
   * True when each dependency can have its own expression. Source: fluxcd/kustomize-controller
   * docs/spec/v1/kustomizations.md (`readyExpr`, since 1.7, which is part of Flux 2.7).
   */
  readonly evaluatesReadyExpr: boolean;
  /** The place of the release, or of the nearest text. */
  readonly versionAt: Span;
  /** Name of the GitRepository. */
  readonly source: string;
  /** Kustomizations that must be ready first, for instance the one that installs Liqo. */
  readonly dependsOn: readonly string[];
}

/** The source of a cluster's external or internal CIDR. `default` is Liqo's own, when the topology sets none. */
export type CidrRequest =
  | { readonly kind: 'explicit'; readonly prefix: Prefix; readonly at: Span }
  | { readonly kind: 'default'; readonly prefix: Prefix; readonly at: Span }
  | { readonly kind: 'auto'; readonly at: Span };

export interface ClusterGitOps {
  /** Name of the cluster in Argo CD. */
  readonly name: string;
  /** URL of its API server, if Argo CD identifies the cluster by it. */
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
  /** `Cluster` when every node answers for the gateways, `Local` when only the node of the active pod does. */
  readonly externalTrafficPolicy: Located<TrafficPolicy>;
  /** True when a load balancer gets node ports, which is the default of Kubernetes. */
  readonly allocatesNodePorts: boolean;
  readonly mtuBytes: Located<number>;
  readonly replicas: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly serviceAnnotations: Annotations;
  /** Annotations that the platform adds to load balancers. */
  readonly loadBalancerAnnotations: Annotations;
  /** The address and port that peers dial instead, behind NAT. */
  readonly dial: { readonly address: Located<string> | null; readonly port: Located<number> | null };
  readonly server: 'auto' | 'never' | 'prefer';
  /** Port that WireGuard listens on inside the pod, if it differs from the Service's. */
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
  /** True for the placeholder of an unreadable range; nothing is compiled from it. */
  readonly isUnread?: true;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly tolerationSeconds?: number;
}
