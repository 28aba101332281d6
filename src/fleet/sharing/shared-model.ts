import { groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import type { Span } from '../../base/source/source.ts';
import { clusterHash } from '../certificates/distinguished-name.ts';
import { type AddressedCluster, type AddressedModel, namespaceIn } from '../ipam/addressed-model.ts';
import type { Link } from '../model/network-model.ts';
import { LONGEST_SLICE_NAME } from '../topology/formats/dns-names.ts';
import type {
  Authentication,
  CredentialsSource,
  PodOffloading,
  TenantCondition,
  VirtualNodeSettings,
} from '../topology/sharing-declaration.ts';

/** The addressed model with all decisions about lent resources. Manifests, plan and traces read it. */
export interface SharedModel extends AddressedModel {
  /** Loans by consumer, then by provider. No end is retired. */
  readonly shares: readonly Share[];
  /** Offloaded namespaces by cluster, then by name. */
  readonly offloadings: readonly OffloadedNamespace[];
  /** Loans and offloaded namespaces by cluster; clusters without any are absent, see `sharingOf`. */
  readonly sharing: ReadonlyMap<string, ClusterSharing>;
}

/** The network and its loans, which decide whose pods a hub can forward packets to. */
export type LendingNetwork = AddressedModel & Pick<SharedModel, 'shares'>;

/**
 * True when a hub may have an address for pods of another cluster, which only offloaded pods get. A topology without
 * loans does not say who offloads; otherwise, pods are offloaded where a loan lets them. Namespaces may be offloaded by
 * hand, so `offloading` does not decide.
 */
export type MayOffload = (hub: string, to: string) => boolean;

export const mayOffloadIn = oncePer(({ shares }: LendingNetwork): MayOffload => {
  if (shares.length === 0) return () => true;
  const lenders = groupBy(shares, (it) => [it.consumer.name]);
  const sets = new Map([...lenders].map(([hub, all]) => [hub, new Set(all.map((it) => it.provider.name))]));
  return (hub, to) => sets.get(hub)?.has(to) === true;
});

/** The loans and offloaded namespaces of one cluster. */
export interface ClusterSharing {
  /** Loans to the cluster, by provider. */
  readonly borrows: readonly Share[];
  /** Loans from the cluster, by consumer. */
  readonly lends: readonly Share[];
  readonly offloads: readonly OffloadedNamespace[];
  /** The other clusters of these loans, by name. */
  readonly partners: readonly Partner[];
}

/** A cluster that lends to another one, borrows from it, or both, from the other's point of view. */
export interface Partner {
  readonly cluster: AddressedCluster;
  /** The loan in which the partner is the provider. */
  readonly borrowed: Share | null;
  /** The loan in which the partner is the consumer. */
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
  /** The source of the kubeconfig with credentials; `null` when the Secret is created by hand. */
  readonly credentials: CredentialsSource | null;
  /** Slices by name; at least one. */
  readonly slices: readonly Slice[];
  /** The consumer's data that the provider needs; `null` while the keys file does not contain it. */
  readonly key: AuthenticationKey | null;
  /** True when the consumer has a key, and the keys file marks it as unknown. */
  readonly hasUnknownKey: boolean;
  /** The provider's answer; `null` while the identities file does not contain it. */
  readonly identity: Identity | null;
}

/** A ResourceSlice, whose virtual node has the same name. */
export interface Slice {
  readonly at: Span;
  readonly name: string;
  readonly class: string;
  /** Quantities in canonical form by resource, in order of name. */
  readonly resources: Readonly<Record<string, string>>;
  /** Its certificate request, base64 of the PEM; `null` when Liqo creates it in the cluster. */
  readonly request: string | null;
  /** The consumer's settings for the virtual node; `null` without settings. */
  readonly virtualNode: VirtualNodeSettings | null;
}

/** The public part of a consumer's authentication key, in the form of a Tenant. */
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

/** A provider's answer to a consumer, in the form of an Identity. */
export interface Identity {
  /** URL. */
  readonly apiServer: string;
  /** Base64 of the PEM; `null` when the system's authorities are trusted. */
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
  /** Providers by name. */
  readonly providers: readonly AddressedCluster[];
  readonly pods: PodOffloading;
  /** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go. */
  readonly mapping: 'DefaultName' | 'EnforceSameName' | 'SelectedName';
  /** Name of the namespace in every provider. */
  readonly remoteName: string;
  readonly createNamespace: boolean;
  /** True when its Services have the annotation for direct connections. */
  readonly directConnections: boolean;
}

const NO_SHARING: ClusterSharing = { borrows: [], lends: [], offloads: [], partners: [] };

/** The loans and offloaded namespaces of a cluster. */
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
 * True when Liqo renews the certificate of the consumer: the provider signs again, and the consumer copies the answer
 * into its Identity. Both ends must support that; otherwise a new certificate must come from git. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
 */
export const isRenewed = ({ consumer, provider, auth }: Share): boolean =>
  auth === 'handshake' && consumer.traits.renewsCertificates && provider.traits.renewsCertificates;

const SUFFIX = '-slice';

/**
 * The name of a slice without a name in the topology. It differs from the name of the provider, which is that of its
 * gateway: both would use one ServiceAccount. It differs from the slice of the other direction of the pair, which is in
 * the same namespace. A provider's name that is too long is cut, and its hash distinguishes it from others with the
 * same beginning. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller/virtualkubelet.go, internal/crdReplicator.
 */
export function defaultSliceName(provider: string): string {
  const name = provider + SUFFIX;
  if (name.length <= LONGEST_SLICE_NAME) return name;
  const ending = `-${clusterHash(provider)}${SUFFIX}`;
  return provider.slice(0, LONGEST_SLICE_NAME - ending.length) + ending;
}

/**
 * The name of a consumer's Identity for a provider.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/forge/identity.go.
 */
export const controlPlaneIdentity = ({ provider }: Share): string => `controlplane-${provider.name}`;

/** The name of the Identity that Liqo creates for a slice. */
export const sliceIdentity = ({ name }: Slice): string => `resourceslice-${name}`;
