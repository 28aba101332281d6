import type { LinkKind } from '../fleet/model/network-model.ts';
import type { Demand } from './demand.ts';
import type {
  ApiServerSetting,
  CidrRole,
  Endpoint,
  HelmSetting,
  LinkState,
  NamesState,
  Ports,
  ServiceState,
  SharePair,
  ToolState,
  ViewState,
} from './network-state.ts';

/**
 * The kinds of differences between two networks, with the facts of each. A closed set: `changes/change-kinds.ts` does
 * not compile without a decision on what a new kind breaks and which files it explains.
 */
interface Payloads {
  'cluster-added': OfCluster & {
    readonly own: Readonly<Record<CidrRole, readonly string[]>>;
    /** Its other Helm values, `key=value`. */
    readonly values: readonly string[];
    /** The destination of its bundle, by tool; without tools that find the cluster by its name. */
    readonly destinations: readonly { readonly tool: GitOpsTool; readonly to: string }[];
  };
  'cluster-removed': OfCluster & {
    readonly wasRetired: boolean;
    /** A new cluster with the same networks and peers, which may be this cluster under another name. */
    readonly lookalike: string | null;
    /** Objects that applied its bundle in Argo CD and Flux, `kustomization/weft-europe.rome`. No commit deletes them. */
    readonly appliers: readonly string[];
  };
  /** The rename is declared in the topology, or nothing else of the cluster changes. */
  'cluster-renamed': OfCluster & {
    readonly from: string;
    readonly peers: readonly string[];
    /** `kept`: no longer declared, but nothing else of the cluster changes. */
    readonly decisions: 'declared' | 'kept';
  };
  'cluster-retired': OfCluster;
  'cluster-returned': OfCluster;
  'link-added': { readonly link: LinkState };
  'link-removed': { readonly link: LinkState };
  'link-kind-changed': OfLink & { readonly from: LinkKind; readonly to: LinkKind };
  /** The server end with everything that depends on it: address, port, Service, templates. */
  'role-changed': OfLink & { readonly from: string; readonly to: string; readonly link: LinkState };
  'port-changed': OfLink & {
    readonly server: string;
    /** The address that the client dials, which something else may have in front of the server. */
    readonly address: string;
    readonly from: Ports;
    readonly to: Ports;
  };
  /** The address that the client dials. */
  'address-changed': OfLink & {
    readonly server: string;
    readonly client: string;
    readonly from: string;
    readonly to: string;
    /** The ports of the server from now on. */
    readonly ports: Ports;
  };
  /** The server's Service: type, load balancer, annotations. */
  'service-changed': OfLink & { readonly server: string; readonly from: ServiceState; readonly to: ServiceState };
  'mtu-changed': OfLink & { readonly server: string; readonly from: number; readonly to: number };
  /** The template of one end's gateway. */
  'template-changed': OfSide & { readonly from: string; readonly to: string };
  /**
   * The names of the objects of one end. Offloaded namespaces are deleted with a namespace that both clusters share in.
   */
  'names-changed': OfSide & Deletes & { readonly from: NamesState; readonly to: NamesState };
  /** The content of a template of weft, for all gateways of the cluster made from it. */
  'template-edited': OfCluster & {
    readonly paths: readonly string[];
    readonly action: Action;
    /**
     * The changed values except those of `images-changed`; for a new or removed template, only those about the placement
     * of its pods.
     */
    readonly values: readonly ValueChange[];
  };
  /** The changed images of a cluster's gateways; empty for the images of Liqo's own release. */
  'images-changed': OfCluster & { readonly from: readonly string[]; readonly to: readonly string[] };
  /** The alerts on its tunnels. */
  'alerts-changed': OfCluster & { readonly paths: readonly string[]; readonly action: Action };
  /** The probers of these clusters, which come and go with a key of the fleet. */
  'probers-changed': {
    readonly probed: readonly string[];
    readonly paths: readonly string[];
    readonly action: Action;
    /** Their images before and after. */
    readonly from: readonly string[];
    readonly to: readonly string[];
  };
  /** The connections over closed links that policies and fences of a cluster let through or refuse from now on. */
  'boundary-changed': OfCluster & {
    readonly opened: readonly string[];
    readonly closed: readonly string[];
    /** Connections over new links, which never passed. */
    readonly closedFromTheStart: readonly string[];
    /** Number of policies that differ. */
    readonly policies: number;
    /** Peers whose fence is removed, and was not emptied before. */
    readonly stale: readonly string[];
    /** Namespaces that have no policy any more. */
    readonly gone: readonly string[];
    /** Namespaces that have a policy from now on. */
    readonly come: readonly string[];
    readonly paths: readonly string[];
  };
  'view-moved': OfView & { readonly index: number; readonly from: string; readonly to: string };
  /** The networks of the peer that the cluster's Configuration contains. */
  'announced-changed': OfView & { readonly from: readonly ViewState[]; readonly to: readonly ViewState[] };
  /** A view that a rebuild of the cluster would choose again from now on, or no longer. */
  'history-changed': OfView & { readonly index: number; readonly seenAs: string; readonly to: boolean };
  'block-carved': OfBlock;
  'block-returned': OfBlock;
  'own-cidr-changed': OfCluster & {
    readonly role: CidrRole;
    readonly from: readonly string[];
    readonly to: readonly string[];
    /** The network that the Helm values request, when Liqo assigns another one; otherwise `null`. */
    readonly requested: string | null;
  };
  /** The key of a gateway: the cluster of the gateway, and the peer that reads the key. */
  'key-added': OfSide & { readonly to: string };
  'key-changed': OfSide & { readonly server: string; readonly from: string; readonly to: string };
  'key-removed': OfSide & { readonly from: string };
  /** The key of the next generation takes the place of the one before, in a Secret with another name. */
  'key-rotated': OfSide & {
    readonly server: string;
    readonly from: string;
    readonly to: string;
    readonly secret: { readonly from: string; readonly to: string };
    /** The tenant namespace of the Secrets; `null` for that of liqoctl. */
    readonly namespace: string | null;
  };
  /** A Secret that a secret manager makes and that no gateway uses yet; `null` without one. */
  'next-key-changed': OfSide & { readonly from: string | null; readonly to: string | null };
  'reservation-changed': OfCluster & { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Versions; `null` for an unknown version that is older than all that the files can prove. */
  'release-changed': OfCluster & {
    readonly from: string | null;
    readonly to: string | null;
    /** True when the new release uses other names for the Networks of peers, and so requests every view again. */
    readonly asksAgain: boolean;
    /**
     * The views that may then get other addresses, because one of them depends on the order in which Liqo requests all
     * of them.
     */
    readonly mayMove: readonly MovableView[];
  };
  /** Peers in the order in which their Configurations are applied. */
  'order-changed': OfCluster & { readonly from: readonly OrderEntry[]; readonly to: readonly OrderEntry[] };
  'share-added': SharePair & {
    readonly slices: readonly string[];
    /** The authentication policy of the consumer. */
    readonly policy: string | null;
    /** The provider's recorded answer, if there is one. */
    readonly endpoint: Endpoint | null;
    /** The key with which the consumer authenticates, if it has one. */
    readonly publicKey: string | null;
    /** The resources and class of each slice, in the order of `slices`. */
    readonly lent: readonly { readonly class: string; readonly resources: Resources }[];
  };
  'share-removed': SharePair & Deletes & { readonly slices: readonly string[]; readonly policy: string | null };
  /** The state of a loan: the provider lends more to the consumer, keeps the loan unchanged, or ends it. */
  'condition-changed': SharePair & Deletes & { readonly from: string; readonly to: string };
  'policy-changed': SharePair & { readonly from: string; readonly to: string };
  /** The key with which a consumer authenticates, in the Tenants of all its providers that stay. */
  'authentication-added': OfConsumer & { readonly to: string };
  'authentication-changed': OfConsumer & {
    readonly from: string;
    readonly to: string;
    /** The slices of these providers, whose certificates belong to the old key. */
    readonly slices: readonly SliceName[];
    /** The slices among them whose request Liqo has created. */
    readonly madeByLiqo: readonly SliceName[];
    /** Providers whose answer to the old key is no longer used. */
    readonly dropped: readonly string[];
  };
  'authentication-removed': OfConsumer;
  /** The nonce that the consumer has signed, with the signature; the key stays. */
  'nonce-changed': OfConsumer;
  /** A provider's answer to a consumer. */
  'identity-added': SharePair & { readonly to: Endpoint };
  'identity-changed': SharePair & { readonly from: Endpoint; readonly to: Endpoint; readonly newCertificate: boolean };
  'identity-removed': SharePair & { readonly from: Endpoint };
  /** A slice of a pair that already shared and continues. */
  'slice-added': SliceName & { readonly resources: Resources };
  'slice-removed': SliceName & Deletes & { readonly isReplaced: boolean };
  'resources-changed': SliceName & { readonly from: Resources; readonly to: Resources };
  'class-changed': SliceName & { readonly from: string; readonly to: string };
  /** The certificate request of a slice; `null` when Liqo creates it. */
  'request-changed': SliceName & { readonly from: string | null; readonly to: string | null };
  /** The consumer's settings for the virtual node of a slice; `null` without settings. */
  'node-changed': SliceName & { readonly from: NodeFields | null; readonly to: NodeFields | null };
  /** The source of the kubeconfig of a consumer with credentials; `null` for a Secret that is created by hand. */
  'credentials-changed': SharePair & { readonly from: string | null; readonly to: string | null };
  'namespace-offloaded': OfNamespace & { readonly providers: readonly string[]; readonly remoteName: string };
  'namespace-withdrawn': OfNamespace & Deletes & { readonly providers: readonly string[] };
  /** The providers of an offloaded namespace, without those that no longer lend anything. */
  'providers-changed': OfNamespace &
    Deletes & { readonly added: readonly string[]; readonly removed: readonly string[] };
  'pods-changed': OfNamespace & { readonly from: string; readonly to: string };
  /** The name that Liqo gives to the namespace in providers. */
  'remote-name-changed': OfNamespace & Deletes & { readonly from: RemoteName; readonly to: RemoteName };
  /** An offloaded namespace that is among the objects from now on, or no longer. */
  'namespace-owner-changed': OfNamespace & { readonly isCreated: boolean };
  /** The network data that the virtual nodes of a pair read when they start. */
  'node-network-changed': SharePair & {
    readonly because: 'link-added' | 'link-removed' | 'view-moved';
    readonly slices: readonly string[];
  };
  'setting-changed': SettingChange;
  'gitops-changed': {
    readonly tool: GitOpsTool;
    readonly action: Action;
    readonly paths: readonly string[];
    /** Files that changed and that no commit applies: an operator has applied them. */
    readonly byHand: readonly string[];
    /** The source from which the tool reads or read the bundles; `null` when another change contains it. */
    readonly source: BundleSource | null;
  };
  /**
   * The source from which a tool reads the bundles, and the destination of a cluster's bundle; `null` as in
   * `ToolState`.
   */
  'delivery-changed': {
    readonly tool: GitOpsTool;
    readonly cluster: string | null;
    readonly setting: DeliverySetting;
    readonly from: string | null;
    readonly to: string | null;
  };
  /** An assertion of the topology; `null` on the side that does not contain it. */
  'assertion-changed': {
    readonly from: Demand | null;
    readonly to: Demand | null;
    /** Clusters to which the same assertion no longer applies, because they have other labels. */
    readonly spared: readonly string[];
    /** True when another assertion includes all of it. */
    readonly isImplied: boolean;
  };
  /** A new decision of the lock that a compile would not make. */
  'decision-picked': {
    readonly cluster: string;
    /** The other end; `null` for a block of the cluster itself. */
    readonly towards: string | null;
    readonly what: string;
    /** The value that a compile would choose. */
    readonly from: string;
    readonly to: string;
  };
  /** A change of the lock alone: no applied file differs. */
  'lock-changed': { readonly added: number; readonly removed: number };
  /** Files with the same content in another layout, written by a formatter or by another version of weft. */
  'layout-changed': { readonly cluster: string | null; readonly paths: readonly string[] };
  /** Views that health checks compare. A moved view is a change of its own. */
  'annotations-changed': { readonly cluster: string | null; readonly paths: readonly string[] };
  /**
   * Files that no other difference explains: an edit by hand, another version of weft, or a setting that only the
   * topology contains.
   */
  'files-changed': { readonly cluster: string | null; readonly paths: readonly string[] };
}

export type DifferenceKind = keyof Payloads;

/**
 * A difference of one kind or of any. Mapped over the kinds, so that `table[it.kind]` of a table by kind has the type
 * for that kind.
 */
export type Difference<K extends DifferenceKind = DifferenceKind> = {
  readonly [P in K]: { readonly kind: P } & Payloads[P];
}[K];

export type Action = 'add' | 'change' | 'remove';

export interface OrderEntry {
  readonly peer: string;
  /** The join number of a link that is applied in join order; `null` for other links. */
  readonly turn: number | null;
}

export type GitOpsTool = 'Argo CD' | 'Flux';

/** `null` as in `ToolState`. */
export type BundleSource = Pick<ToolState['source'], 'repository' | 'revision' | 'source'>;

export type DeliverySetting = keyof ToolState['source'] | 'destination';

/** One value of a file; `null` when it is not set. */
export interface ValueChange {
  readonly what: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** A value that is set once for a cluster, or once for the fleet (`cluster` is `null`). */
export interface SettingChange {
  readonly cluster: string | null;
  readonly setting: SettingName;
  /** `null` leaves the choice to Liqo. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Keys of the topology; also `topologyFile`, the name of its file, and `fullMasquerade`, the most important consequence
 * of a platform.
 */
export type SettingName =
  | 'name'
  | 'topologyFile'
  | 'keys.secrets'
  | 'keys.secretName'
  | 'liqo.emitConnections'
  | 'liqo.shortcutOperator'
  | 'liqo.namespace'
  | 'monitoring.prometheusRules'
  | 'ipam.pools'
  | `apiServer.${ApiServerSetting}`
  | 'fullMasquerade'
  | HelmSetting
  | 'externalCIDR'
  | 'internalCIDR';

/** A cluster's view of one CIDR of a peer that could get another address in another order of requests. */
export interface MovableView {
  readonly peer: string;
  readonly cidr: string;
  readonly seenAs: string;
}

interface OfCluster {
  readonly cluster: string;
}

interface OfLink {
  readonly ends: readonly [string, string];
}

/** One end of a link: the cluster that has it, and the other cluster. */
interface OfSide {
  readonly cluster: string;
  readonly peer: string;
}

interface OfView extends OfSide {
  readonly cidr: 'pod' | 'external';
}

interface OfConsumer {
  readonly consumer: string;
  /** Providers by name. */
  readonly providers: readonly string[];
}

export interface SliceName extends SharePair {
  readonly slice: string;
}

/** Quantities by resource, in order of name. */
type Resources = Readonly<Record<string, string>>;

/** The fields of a virtual node by path. */
type NodeFields = Readonly<Record<string, string>>;

/** A namespace of a consumer. */
interface OfNamespace extends OfCluster {
  readonly namespace: string;
}

interface RemoteName {
  readonly mapping: string;
  readonly name: string;
}

/** Namespaces that are deleted with everything in them. */
interface Deletes {
  readonly deleted: readonly RemoteNamespace[];
}

/** A namespace that Liqo made in a provider for a namespace of a consumer. */
export interface RemoteNamespace {
  readonly cluster: string;
  readonly namespace: string;
  readonly provider: string;
  readonly name: string;
}

interface OfBlock extends OfCluster {
  readonly block: 'external' | 'internal';
  readonly cidr: string;
}
