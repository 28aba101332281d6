import { inOrder } from '../base/core/collections.ts';
import { printLinkId } from '../base/core/lock-key.ts';
import { oncePer } from '../base/core/once.ts';
import type { ReleaseLine } from '../base/releases/release.ts';
import type { KeySource, LinkKind } from '../fleet/model/network-model.ts';

/**
 * The network that the files in `out/` and a lock describe. Both sides of a plan are read from files, because clusters
 * apply files, and edits by hand must be included. All values are texts from the files.
 */
export interface NetworkState {
  /** Clusters by name, in order of name. */
  readonly clusters: ReadonlyMap<string, ClusterState>;
  /** Links by `pairOf`, in order of that key. */
  readonly links: ReadonlyMap<string, LinkState>;
  /** Shared resources, with the cluster names of these files, also when a cluster is renamed afterwards. */
  readonly sharing: SharingState;
  readonly fleet: FleetState;
}

/** Settings that all files of a fleet share; `null` when no file contains them. */
export interface FleetState {
  readonly name: string | null;
  readonly topologyFile: string | null;
  /** The name of most key Secrets, with `{peer}` in place of the cluster at the other end. */
  readonly keySecret: string | null;
  /** The side that makes the Secrets with the keys of gateways. */
  readonly keySource: KeySource | null;
  /** The place of most key pairs in a secret manager, with `{cluster}` and `{peer}`; `null` without one. */
  readonly keyStore: string | null;
  readonly emitConnections: boolean | null;
  readonly shortcutOperator: boolean | null;
  readonly tools: ToolStates;
}

/** True when gateways make their key pairs in their clusters, so that none are provided. */
export const isMadeByLiqo = ({ keySource }: Pick<FleetState, 'keySource'>): boolean => keySource === 'liqo';

/** The tools that have entry points. */
export interface ToolStates {
  readonly argo: ToolState | null;
  readonly flux: ToolState | null;
}

/**
 * The source from which a tool reads the bundles, and the destinations. Several values of a hand-edited file are joined
 * by ` and `.
 */
export interface ToolState {
  readonly source: {
    /** `null` when weft writes none: then `source` is the name of an existing object. */
    readonly repository: string | null;
    readonly revision: string | null;
    /** The folder of the bundles in the repository; `.` for its root. */
    readonly path: string | null;
    /** Project of Argo CD, which contains the permissions. */
    readonly project: string | null;
    /** Namespace of the entry points, and so of the tool that reads them. */
    readonly namespace: string | null;
    /** The object of Flux with the URL of the repository. */
    readonly source: string | null;
    /** The allowed repositories when the project allows others than that one. */
    readonly sourceRepos: string | null;
  };
  /**
   * The destination of each cluster; `null` for the cluster with that name (Argo CD), and for the cluster in which the
   * tool runs (Flux).
   */
  readonly destinations: readonly (readonly [cluster: string, destination: string | null])[];
  /** Destination of all clusters that are not listed. */
  readonly otherDestinations: string | null;
  /**
   * The objects that apply the bundle of a cluster, `kustomization/weft-europe.rome`; with `null` of every cluster, with
   * `BASENAME` in place of its name.
   */
  readonly appliers: readonly { readonly cluster: string | null; readonly object: string }[];
}

/** The name of a cluster in the template of an ApplicationSet. */
export const BASENAME = '{{.path.basename}}';

export interface ClusterState {
  readonly name: string;
  readonly retired: boolean;
  /**
   * The oldest release line that sets a label of its Networks, known without a topology; `null` for an older release.
   */
  readonly provenLine: ReleaseLine | null;
  readonly namespace: string | null;
  /** The networks in its Network objects, by role. */
  readonly own: Readonly<Record<CidrRole, readonly string[]>>;
  readonly reserved: readonly string[];
  readonly pools: readonly string[];
  /** True when the chart's Prometheus metrics are enabled, which weft's alerts need. */
  readonly reportsMetrics: boolean;
  /** CIDRs that its Helm values request; `null` leaves the choice to Liqo. */
  readonly requested: { readonly external: string | null; readonly internal: string | null };
  /** The address of its API server for its peers, and the trusted CA, in its Helm values. */
  readonly apiServer: Readonly<Record<ApiServerSetting, string | null>>;
  /** The images of its own gateway templates; empty when it has only the chart's. */
  readonly gatewayImages: readonly string[];
  /** The names of its own gateway templates. */
  readonly ownTemplates: readonly string[];
  /** True when its nodes translate the source of every packet to its peers. */
  readonly masquerades: boolean;
  /** Its other Helm values, `key=value`, by what they are for. Annotations of its platform come last. */
  readonly helmValues: Readonly<Record<HelmSetting, readonly string[]>>;
  /** Blocks that weft carved for `auto`. */
  readonly blocks: { readonly external: string | null; readonly internal: string | null };
  /** Names of its peers in apply order. */
  readonly peers: readonly string[];
}

export type ApiServerSetting = 'address' | 'ca' | 'trustedCA';

/** The purposes of Helm values, in the order of plans. */
export const HELM_SETTINGS = [
  'platform',
  'helmValues',
  'helmValues for images',
  'helmValues for slices',
  'helmValues for virtual nodes',
] as const;

export type HelmSetting = (typeof HELM_SETTINGS)[number];

export type CidrRole = 'pod' | 'service' | 'external' | 'internal';

export interface LinkState {
  readonly pair: string;
  /** The two ends in order of name. */
  readonly ends: readonly [string, string];
  readonly kind: LinkKind;
  readonly server: string;
  readonly client: string;
  /** The address that the client dials. */
  readonly address: string;
  readonly port: number;
  readonly mtuBytes: number;
  readonly join: number | null;
  /** `null` when the server's manifest is missing or not in weft's layout. */
  readonly service: ServiceState | null;
  /** Each end's data about the other, by cluster. */
  readonly sides: ReadonlyMap<string, SideState>;
}

export interface ServiceState {
  readonly type: string;
  readonly port: string;
  readonly nodePort: string | null;
  readonly loadBalancerIP: string | null;
  readonly loadBalancerClass: string | null;
  readonly externalTrafficPolicy: string;
  /** True when a load balancer gets node ports. */
  readonly allocatesNodePorts: boolean;
  /** `key=value`, sorted. */
  readonly annotations: readonly string[];
}

export interface SideState {
  readonly cluster: string;
  readonly peer: string;
  readonly template: string | null;
  readonly names: NamesState;
  /** The Secret with its next key pair, which a secret manager makes; `null` without one. */
  readonly nextSecret: string | null;
  /** The key of the gateway at the other end, in this end's manifests. */
  readonly keyOfPeer: string | null;
  readonly orderDependent: boolean;
  readonly views: readonly ViewState[];
}

export interface ViewState {
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  readonly history: boolean;
}

export interface Ports {
  /** The port that the client dials. */
  readonly dialled: number;
  /** Port of the server's Service; empty when no file contains it. */
  readonly service: string;
  readonly node: string | null;
}

/** The ports of a server; empty ones for an unknown Service. */
export const portsOf = ({ port, service }: LinkState): Ports => ({
  dialled: port,
  service: service?.port ?? '',
  node: service?.nodePort ?? null,
});

/** Identity of a link in a plan, independent of the order of its ends. */
export function pairOf(a: string, b: string): string {
  const [first, second] = inOrder(a, b);
  return printLinkId({ first, second });
}

/** Names of one cluster's objects for one peer; `null` for those that equal liqoctl's. */
export interface NamesState {
  readonly namespace: string | null;
  readonly configuration: string | null;
  readonly gateway: string | null;
  /** `null` also when there is no PublicKey. */
  readonly publicKey: string | null;
  /** Name of the key Secret; `null` for the usual name in the fleet. */
  readonly secret: string | null;
}

export const NAMED = ['namespace', 'configuration', 'gateway', 'publicKey', 'secret'] as const;

export const viewsOfKind = ({ views }: SideState, kind: ViewState['kind']): readonly ViewState[] =>
  views.filter((it) => it.kind === kind);

/**
 * For each view, the earlier view that it continues: that of the same network; for a replacement in the list, that of
 * the replaced network. A network that is only added continues none.
 */
export function earlierViews(from: readonly ViewState[], to: readonly ViewState[]): readonly (ViewState | undefined)[] {
  const [old, now] = [new Map(from.map((it) => [it.cidr, it])), new Set(to.map((it) => it.cidr))];
  const replaced = from.filter((it) => !now.has(it.cidr));
  return to.map((it) => old.get(it.cidr) ?? replaced.shift());
}

/** True when the lock keeps views of a cluster that a new installation of Liqo would not assign again. */
export const keepsOldViews = (cluster: string, state: NetworkState): boolean =>
  clustersWithOldViews(state).has(cluster);

const clustersWithOldViews = oncePer(
  ({ links }: NetworkState): ReadonlySet<string> =>
    new Set(
      [...links.values()].flatMap(({ sides }) =>
        [...sides].filter(([, side]) => side.views.some((it) => it.history)).map(([cluster]) => cluster),
      ),
    ),
);

/** Shared resources in the files of `out/`, as texts. */
export interface SharingState {
  /** Loans by `shareOf`, in order of that key. */
  readonly shares: ReadonlyMap<string, ShareState>;
  /** Namespaces by `shareOf` of cluster and namespace, in order of that key. */
  readonly offloadings: ReadonlyMap<string, OffloadingState>;
}

/** A loan, from the folders of both clusters. */
export interface ShareState extends SharePair {
  /** The consumer's data in the provider; `null` while the consumer has no key. */
  readonly tenant: TenantState | null;
  /** The provider's answer; `null` while it is not recorded, and for a consumer with credentials. */
  readonly identity: IdentityState | null;
  /** The source from which a secret manager reads the kubeconfig, as text; `null` without one. */
  readonly credentials: string | null;
  /** By name. */
  readonly slices: readonly SliceState[];
}

export interface SharePair {
  readonly consumer: string;
  readonly provider: string;
}

interface TenantState {
  readonly condition: string;
  /** The authentication policy: `KeysExchange`, or `TolerateNoHandshake` with credentials. */
  readonly policy: string;
  /** Base64, as are the other two; `null` with credentials. */
  readonly publicKey: string | null;
  readonly request: string | null;
  readonly signature: string | null;
  readonly nonce: string | null;
}

/** The API server of a provider as the consumer uses it, with the trusted CA. */
export interface Endpoint {
  readonly apiServer: string;
  /** Base64; `null` for the authorities that the system of the consumer trusts. */
  readonly ca: string | null;
  readonly proxyURL: string | null;
}

interface IdentityState {
  readonly endpoint: Endpoint;
  /** Base64. */
  readonly certificate: string;
}

export interface SliceState {
  readonly name: string;
  readonly class: string;
  /** Quantities by resource, in order of name. */
  readonly resources: Readonly<Record<string, string>>;
  /** Its certificate request in base64; `null` when Liqo creates it. */
  readonly request: string | null;
  /** The consumer's settings for its virtual node, by path; `null` without settings. */
  readonly node: Readonly<Record<string, string>> | null;
}

/** A namespace of a consumer. */
export interface OffloadingState {
  readonly cluster: string;
  readonly namespace: string;
  /** By name. */
  readonly providers: readonly string[];
  readonly pods: string;
  readonly mapping: string;
  /** Its name in every provider. */
  readonly remoteName: string;
  /** True when the namespace itself is among the objects. */
  readonly isCreated: boolean;
}

/** Two names as one key. No name of a cluster or namespace contains a slash. */
export const shareOf = (first: string, second: string): string => `${first}/${second}`;
