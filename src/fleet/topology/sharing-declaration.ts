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
  /** Only with `auth: credentials`; `null` when the Secret is created by hand. */
  readonly credentials: CredentialsSource | null;
}

/** A provider's treatment of a consumer. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go. */
export type TenantCondition = 'Active' | 'Cordoned' | 'Drained';

/** A consumer's proof of identity. */
export type Authentication = 'handshake' | 'credentials';

/** A part of a provider's resources; the consumer gets a virtual node for it. */
export interface SliceDeclaration {
  readonly at: Span;
  /** `null` for weft's default name. */
  readonly name: Located<string> | null;
  readonly class: Located<string>;
  readonly resources: ResourceQuantities;
  /** The consumer's additions to the virtual node; `null` for none. */
  readonly virtualNode: VirtualNodeSettings | null;
}

/** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/virtualnode_types.go. */
export interface VirtualNodeSettings {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** `null` for the value of the chart. */
  readonly createNode: boolean | null;
  readonly networkCheck: boolean | null;
  readonly runtimeClass: string | null;
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** The place of a consumer's kubeconfig in a secret manager. Source: external-secrets.io/v1 ExternalSecret. */
export interface CredentialsSource {
  readonly store: string;
  readonly storeKind: 'ClusterSecretStore' | 'SecretStore';
  /** May contain `{consumer}` and `{provider}`. */
  readonly key: string;
  readonly property: string | null;
}

/** Quantities in canonical form by resource, sorted. */
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
