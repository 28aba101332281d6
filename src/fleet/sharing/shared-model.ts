import type { Span } from '../../base/source/source.ts';
import { type AddressedCluster, type AddressedModel, namespaceIn } from '../ipam/addressed-model.ts';
import type { Link } from '../model/network-model.ts';
import type {
  Authentication,
  CredentialsSource,
  PodOffloading,
  TenantCondition,
  VirtualNodeSettings,
} from '../topology/sharing-declaration.ts';

/** The addressed model with everything about lent resources decided. Manifests, plan and traces read it. */
export interface SharedModel extends AddressedModel {
  /** By consumer, then by provider. No end is retired. */
  readonly shares: readonly Share[];
  /** By cluster, then by namespace. */
  readonly offloadings: readonly OffloadedNamespace[];
  /** The same by cluster; clusters without any are absent, see `sharingOf`. */
  readonly sharing: ReadonlyMap<string, ClusterSharing>;
}

/** What one cluster borrows, lends and offloads. */
export interface ClusterSharing {
  /** As the consumer, by provider. */
  readonly borrows: readonly Share[];
  /** As the provider, by consumer. */
  readonly lends: readonly Share[];
  readonly offloads: readonly OffloadedNamespace[];
  /** The other clusters of these loans, by name. */
  readonly partners: readonly Partner[];
}

/** A cluster that another one borrows from, lends to, or both, as that one sees it. */
export interface Partner {
  readonly cluster: AddressedCluster;
  /** The partner is the provider. */
  readonly borrowed: Share | null;
  /** The partner is the consumer. */
  readonly lent: Share | null;
}

/** A loan of resources from one cluster to another. */
export interface Share {
  /** The text that declares it. */
  readonly at: Span;
  readonly consumer: AddressedCluster;
  readonly provider: AddressedCluster;
  /** The tunnel between the two; `null` without one. */
  readonly link: Link | null;
  readonly condition: TenantCondition;
  readonly auth: Authentication;
  /** Where the kubeconfig comes from with credentials; `null` when the Secret is made by hand. */
  readonly credentials: CredentialsSource | null;
  /** By name; at least one. */
  readonly slices: readonly Slice[];
  /** What the provider needs to know of the consumer; `null` while the keys file has nothing. */
  readonly key: AuthenticationKey | null;
  /** The consumer has a key, and the keys file only says so. */
  readonly hasUnknownKey: boolean;
  /** What the provider answered; `null` while the identities file has nothing. */
  readonly identity: Identity | null;
}

/** A ResourceSlice, whose virtual node has the same name. */
export interface Slice {
  readonly at: Span;
  readonly name: string;
  readonly class: string;
  /** Quantities in canonical form by resource, in order of name. */
  readonly resources: Readonly<Record<string, string>>;
  /** Its certificate request, base64 of the PEM; `null` where Liqo makes it in the cluster. */
  readonly request: string | null;
  /** What the consumer adds to the virtual node; `null` for nothing. */
  readonly virtualNode: VirtualNodeSettings | null;
}

/** The public part of a consumer's authentication key, as a Tenant has it. */
export interface AuthenticationKey {
  /** Base64 of the raw key, or of a PEM. */
  readonly publicKey: string;
  /** The text that was signed. */
  readonly nonce: string;
  /** Base64. */
  readonly signature: string;
  /** Base64 of the PEM. */
  readonly request: string;
}

/** What a provider answered to a consumer, as an Identity has it. */
export interface Identity {
  /** URL. */
  readonly apiServer: string;
  /** Base64 of the PEM; `null` when the system's authorities are to be trusted. */
  readonly ca: string | null;
  /** Base64 of the PEM. */
  readonly certificate: string;
  readonly proxyURL: string | null;
}

/** A namespace of a cluster whose pods may run in providers. */
export interface OffloadedNamespace {
  readonly at: Span;
  readonly cluster: AddressedCluster;
  readonly namespace: string;
  /** By name. */
  readonly providers: readonly AddressedCluster[];
  readonly pods: PodOffloading;
  /** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go. */
  readonly mapping: 'DefaultName' | 'EnforceSameName' | 'SelectedName';
  /** Name of the namespace in every provider. */
  readonly remoteName: string;
  readonly createNamespace: boolean;
  /** Its Services have the annotation for direct connections. */
  readonly directConnections: boolean;
}

const NO_SHARING: ClusterSharing = { borrows: [], lends: [], offloads: [], partners: [] };

/** What a cluster borrows, lends and offloads. */
export const sharingOf = ({ sharing }: Pick<SharedModel, 'sharing'>, cluster: string): ClusterSharing =>
  sharing.get(cluster) ?? NO_SHARING;

type LendingPair = Pick<Share, 'consumer' | 'provider'>;

/** The tenant namespace of a consumer, in its provider. */
export const namespaceOfConsumer = ({ consumer, provider }: LendingPair): string =>
  namespaceIn(provider, consumer.name);

/** The tenant namespace of a provider, in its consumer. */
export const namespaceOfProvider = ({ consumer, provider }: LendingPair): string =>
  namespaceIn(consumer, provider.name);

/**
 * Whether Liqo replaces the certificate of the consumer before it ends: the provider signs again, and the consumer copies the
 * answer into its Identity. It takes both; else git is the only one who can bring a new certificate.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
 */
export const isRenewed = ({ consumer, provider, auth }: Share): boolean =>
  auth === 'handshake' && consumer.traits.renewsCertificates && provider.traits.renewsCertificates;
