import type { LinkKind } from '../fleet/model/network-model.ts';
import type { Demand } from './demand.ts';
import type {
  ApiServerSetting,
  CidrRole,
  LinkState,
  NamesState,
  ServiceState,
  SharingSetting,
  ToolState,
  ViewState,
} from './network-state.ts';
import type { Endpoint, SharePair } from './sharing-state.ts';

/**
 * What differs between two networks, by kind, with the facts of each. A closed set: `changes/change-kinds.ts` does not
 * compile without a decision on what a new kind breaks and which files it explains.
 */
interface Payloads {
  'cluster-added': OfCluster;
  'cluster-removed': OfCluster & {
    readonly wasRetired: boolean;
    /** A new cluster with the same networks and the same peers, which may be this one under another name. */
    readonly lookalike: string | null;
  };
  /** Declared in the topology, or nothing else of it changes. */
  'cluster-renamed': OfCluster & {
    readonly from: string;
    readonly peers: readonly string[];
    /** `kept`: not declared any more, but nothing else of it changes. */
    readonly decisions: 'declared' | 'kept';
  };
  'cluster-retired': OfCluster;
  'cluster-returned': OfCluster;
  'link-added': { readonly link: LinkState };
  'link-removed': { readonly link: LinkState };
  'link-kind-changed': OfLink & { readonly from: LinkKind; readonly to: LinkKind };
  /** The server end, with all that depends on it: address, port, Service, templates. */
  'role-changed': OfLink & { readonly from: string; readonly to: string; readonly link: LinkState };
  'port-changed': OfLink & { readonly server: string; readonly from: Ports; readonly to: Ports };
  /** What the client dials. */
  'address-changed': OfLink & { readonly client: string; readonly from: string; readonly to: string };
  /** How the server is offered: type, load balancer, annotations. */
  'service-changed': OfLink & { readonly server: string; readonly from: ServiceState; readonly to: ServiceState };
  'mtu-changed': OfLink & { readonly server: string; readonly from: number; readonly to: number };
  /** The template that one end's gateway is made from. */
  'template-changed': OfSide & { readonly from: string; readonly to: string };
  /** What the objects of one end are called. A namespace that both share in goes with what was offloaded. */
  'names-changed': OfSide & Deletes & { readonly from: NamesState; readonly to: NamesState };
  /** The content of a template of ours, for all gateways of the cluster made from it. */
  'template-edited': OfCluster & {
    readonly paths: readonly string[];
    readonly action: Action;
    /** What differs in them but images; of a template that is new or gone only where its pods run. */
    readonly values: readonly ValueChange[];
  };
  /** What the gateways of a cluster run, as far as it differs; empty for the images of Liqo's own release. */
  'images-changed': OfCluster & { readonly from: readonly string[]; readonly to: readonly string[] };
  /** The alerts on its tunnels. */
  'alerts-changed': OfCluster & { readonly paths: readonly string[]; readonly action: Action };
  'view-moved': OfView & { readonly index: number; readonly from: string; readonly to: string };
  /** The networks of the peer that the cluster's Configuration contains. */
  'announced-changed': OfView & { readonly from: readonly ViewState[]; readonly to: readonly ViewState[] };
  /** Whether a rebuild of the cluster would choose this view again. */
  'history-changed': OfView & { readonly index: number; readonly seenAs: string; readonly to: boolean };
  'block-carved': OfBlock;
  'block-returned': OfBlock;
  'own-cidr-changed': OfCluster & {
    readonly role: CidrRole;
    readonly from: readonly string[];
    readonly to: readonly string[];
  };
  /** The cluster whose gateway it is, and the peer that reads it. */
  'key-added': OfSide & { readonly to: string };
  'key-changed': OfSide & { readonly server: string; readonly from: string; readonly to: string };
  'key-removed': OfSide & { readonly from: string };
  'reservation-changed': OfCluster & { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Versions; `null` for one that is unknown, but older than all that the files can prove. */
  'release-changed': OfCluster & {
    readonly from: string | null;
    readonly to: string | null;
    /** Whether the new release looks for the Networks of peers under other names, and so asks for every view again. */
    readonly asksAgain: boolean;
    /** The views that can come out differently then, since one of them depends on the order in which Liqo asks for all. */
    readonly mayMove: readonly MovableView[];
  };
  /** Peers in the order in which their Configurations are applied. */
  'order-changed': OfCluster & { readonly from: readonly OrderEntry[]; readonly to: readonly OrderEntry[] };
  'share-added': SharePair & {
    readonly slices: readonly string[];
    /** How the consumer proves who it is. */
    readonly policy: string | null;
    /** What the provider answered, if that is recorded already. */
    readonly endpoint: Endpoint | null;
  };
  'share-removed': SharePair & Deletes & { readonly slices: readonly string[]; readonly policy: string | null };
  /** Whether the provider lends more to the consumer, goes on with what it lent, or takes that back. */
  'condition-changed': SharePair & Deletes & { readonly from: string; readonly to: string };
  'policy-changed': SharePair & { readonly from: string; readonly to: string };
  /** The key with which a consumer authenticates, in the Tenants of all its providers that stay. */
  'authentication-added': OfConsumer;
  'authentication-changed': OfConsumer & {
    readonly from: string;
    readonly to: string;
    /** The slices of these providers, whose certificates are for the old key. */
    readonly slices: readonly SliceName[];
    /** Those of them whose request Liqo has made. */
    readonly madeByLiqo: readonly SliceName[];
    /** Providers whose answer to the old key is left out. */
    readonly dropped: readonly string[];
  };
  'authentication-removed': OfConsumer;
  /** The nonce that the consumer has signed, with the signature; the key stays. */
  'nonce-changed': OfConsumer;
  /** What a provider answered to a consumer. */
  'identity-added': SharePair & { readonly to: Endpoint };
  'identity-changed': SharePair & { readonly from: Endpoint; readonly to: Endpoint; readonly newCertificate: boolean };
  'identity-removed': SharePair & { readonly from: Endpoint };
  /** A slice of a pair that shared before, and goes on. */
  'slice-added': SliceName & { readonly resources: Resources };
  'slice-removed': SliceName & Deletes & { readonly isReplaced: boolean };
  'resources-changed': SliceName & { readonly from: Resources; readonly to: Resources };
  'class-changed': SliceName & { readonly from: string; readonly to: string };
  /** The certificate request of a slice; `null` where Liqo makes it. */
  'request-changed': SliceName & { readonly from: string | null; readonly to: string | null };
  /** What the consumer adds to the virtual node of a slice; `null` for nothing. */
  'node-changed': SliceName & { readonly from: NodeFields | null; readonly to: NodeFields | null };
  /** Where a consumer with credentials gets its kubeconfig from; `null` for a Secret that is made by hand. */
  'credentials-changed': SharePair & { readonly from: string | null; readonly to: string | null };
  'namespace-offloaded': OfNamespace & { readonly providers: readonly string[]; readonly remoteName: string };
  'namespace-withdrawn': OfNamespace & Deletes & { readonly providers: readonly string[] };
  /** The providers of an offloaded namespace, without those that lend nothing any more. */
  'providers-changed': OfNamespace &
    Deletes & { readonly added: readonly string[]; readonly removed: readonly string[] };
  'pods-changed': OfNamespace & { readonly from: string; readonly to: string };
  /** How Liqo calls the namespace in providers. */
  'remote-name-changed': OfNamespace & Deletes & { readonly from: RemoteName; readonly to: RemoteName };
  /** Whether the namespace itself is among the objects. */
  'namespace-owner-changed': OfNamespace & { readonly isCreated: boolean };
  /** What the virtual nodes of a pair know about its network, which they read when they start. */
  'node-network-changed': SharePair & {
    readonly because: 'link-added' | 'link-removed' | 'view-moved';
    readonly slices: readonly string[];
  };
  'setting-changed': SettingChange;
  'gitops-changed': {
    readonly tool: GitOpsTool;
    readonly action: Action;
    readonly paths: readonly string[];
    /** Where the tool takes the bundles from, or took them; `null` where that is another change. */
    readonly source: BundleSource | null;
  };
  /** Where a tool takes the bundles from, and where it applies those of a cluster; `null` as in `ToolState`. */
  'delivery-changed': {
    readonly tool: GitOpsTool;
    readonly cluster: string | null;
    readonly setting: DeliverySetting;
    readonly from: string | null;
    readonly to: string | null;
  };
  /** What the topology demands of the network; `null` for what it did not demand, or no longer does. */
  'assertion-changed': {
    readonly from: Demand | null;
    readonly to: Demand | null;
    /** Clusters of the fleet to which the same assertion no longer applies: they have other labels. */
    readonly spared: readonly string[];
    /** Whether another assertion demands all of it. */
    readonly isImplied: boolean;
  };
  /** Only the lock: nothing that is applied. */
  'lock-changed': { readonly added: number; readonly removed: number };
  /** Files that contain the same, written in another way: by a formatter, or by another version of weft. */
  'layout-changed': { readonly cluster: string | null; readonly paths: readonly string[] };
  /** Views that health checks compare. A view that moves is a change of its own. */
  'annotations-changed': { readonly cluster: string | null; readonly paths: readonly string[] };
  /** What nothing above explains: an edit by hand, another version of weft, a setting that only the topology contains. */
  'files-changed': { readonly cluster: string | null; readonly paths: readonly string[] };
}

export type DifferenceKind = keyof Payloads;

/** Mapped over the kinds, so that `table[it.kind]` of a table by kind has the type for that kind. */
export type Difference<K extends DifferenceKind = DifferenceKind> = {
  readonly [P in K]: { readonly kind: P } & Payloads[P];
}[K];

export type Action = 'add' | 'change' | 'remove';

export interface Ports {
  /** What the client dials. */
  readonly dialled: number;
  /** Of the server's Service; empty when no file has it. */
  readonly service: string;
  readonly node: string | null;
}

export interface OrderEntry {
  readonly peer: string;
  /** The join number when this link waits for its turn; else `null`. */
  readonly turn: number | null;
}

export type GitOpsTool = 'Argo CD' | 'Flux';

/** `null` as in `ToolState`. */
export type BundleSource = Pick<ToolState['source'], 'repository' | 'revision' | 'source'>;

export type DeliverySetting = keyof ToolState['source'] | 'destination';

/** One value of a file; `null` where it is not set. */
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
 * Keys of the topology, and `topologyFile`, the name of its file, and `fullMasquerade`, the most important consequence of a
 * platform.
 */
export type SettingName =
  | 'name'
  | 'topologyFile'
  | 'keys.secretName'
  | 'liqo.emitConnections'
  | 'liqo.shortcutOperator'
  | 'liqo.namespace'
  | 'monitoring.prometheusRules'
  | 'ipam.pools'
  | `apiServer.${ApiServerSetting}`
  | 'fullMasquerade'
  | 'platform'
  | SharingSetting
  | 'externalCIDR'
  | 'internalCIDR';

/** How a cluster sees one CIDR of a peer, where another order of asking could give another address. */
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

/** One end of a link: the cluster that holds it, and the other. */
interface OfSide {
  readonly cluster: string;
  readonly peer: string;
}

interface OfView extends OfSide {
  readonly cidr: 'pod' | 'external';
}

interface OfConsumer {
  readonly consumer: string;
  /** By name. */
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

/** What goes with everything in it. */
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
