import type { Located, Span } from '../../base/source/source.ts';
import type { Selector } from './selector.ts';

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
