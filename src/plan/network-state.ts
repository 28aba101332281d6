import { inOrder } from '../base/core/collections.ts';
import { printLinkId } from '../base/core/lock-key.ts';
import { oncePer } from '../base/core/once.ts';
import type { ReleaseLine } from '../base/releases/release.ts';
import type { LinkKind } from '../fleet/model/network-model.ts';
import type { SharingState } from './sharing-state.ts';

/**
 * The network that a set of files in `out/` and a lock describe. Both sides of a plan are read from files, since
 * clusters apply files, and an edit by hand counts. All values are texts as the files have them.
 */
export interface NetworkState {
  /** By name, in order of name. */
  readonly clusters: ReadonlyMap<string, ClusterState>;
  /** By `pairOf`, in order of pair. */
  readonly links: ReadonlyMap<string, LinkState>;
  /** Under the names that clusters have in these files, also where a cluster is renamed afterwards. */
  readonly sharing: SharingState;
  readonly fleet: FleetState;
}

/** What all files of a fleet have in common; `null` where no file contains it. */
interface FleetState {
  readonly name: string | null;
  readonly topologyFile: string | null;
  /** Name that most key Secrets have, with `{peer}` for the cluster at the other end. */
  readonly keySecret: string | null;
  readonly emitConnections: boolean | null;
  readonly shortcutOperator: boolean | null;
  readonly tools: ToolStates;
}

/** The tools that have entry points. */
export interface ToolStates {
  readonly argo: ToolState | null;
  readonly flux: ToolState | null;
}

/** Where a tool takes the bundles from, and where it applies them. Several values of a hand-edited file are joined by ` and `. */
export interface ToolState {
  readonly source: {
    /** `null` where weft writes none: then `source` names what somebody else has set up. */
    readonly repository: string | null;
    readonly revision: string | null;
    /** The folder of the bundles in the repository; `.` for its root. */
    readonly path: string | null;
    /** Of Argo CD, with the permissions. */
    readonly project: string | null;
    /** Of the entry points themselves, and so of the tool that reads them. */
    readonly namespace: string | null;
    /** The object of Flux that knows the repository. */
    readonly source: string | null;
    /** Where the project allows other repositories than that one. */
    readonly sourceRepos: string | null;
  };
  /** `null` for the cluster of that name (Argo CD), and for the one where the tool runs (Flux). */
  readonly destinations: readonly (readonly [cluster: string, destination: string | null])[];
  /** Of all clusters that are not listed. */
  readonly otherDestinations: string | null;
}

export interface ClusterState {
  readonly name: string;
  readonly retired: boolean;
  /**
   * The oldest release line that has a label of its Networks, so that it is known without a topology; `null` for an
   * older release.
   */
  readonly provenLine: ReleaseLine | null;
  readonly namespace: string | null;
  /** What its Networks hold, by role. */
  readonly own: Readonly<Record<CidrRole, readonly string[]>>;
  readonly reserved: readonly string[];
  readonly pools: readonly string[];
  /** Whether the chart is told to report to Prometheus, which weft's alerts need. */
  readonly reportsMetrics: boolean;
  /** CIDRs that its Helm values request; `null` leaves the choice to Liqo. */
  readonly requested: { readonly external: string | null; readonly internal: string | null };
  /** Where its peers reach its API server, and whom they trust there, in its Helm values. */
  readonly apiServer: Readonly<Record<ApiServerSetting, string | null>>;
  /** The images of its own gateway templates; none where it has only the chart's. */
  readonly gatewayImages: readonly string[];
  /** The names of those templates. */
  readonly ownTemplates: readonly string[];
  /** Whether its nodes translate the source of every packet to its peers. */
  readonly masquerades: boolean;
  /** What its platform adds to its Helm values, `key=value`; annotations come last. */
  readonly platformValues: readonly string[];
  /** What its Helm values say about shared resources, `key=value`, sorted, by the key of the topology that sets them. */
  readonly sharingValues: Readonly<Record<SharingSetting, readonly string[]>>;
  /** Carved by weft for `auto`. */
  readonly blocks: { readonly external: string | null; readonly internal: string | null };
  /** Names of its peers in apply order. */
  readonly peers: readonly string[];
}

export type ApiServerSetting = 'address' | 'ca' | 'trustedCA';

export type SharingSetting = 'lending' | 'reflection' | 'virtualKubelet';

export type CidrRole = 'pod' | 'service' | 'external' | 'internal';

export interface LinkState {
  readonly pair: string;
  /** In order of name. */
  readonly ends: readonly [string, string];
  readonly kind: LinkKind;
  readonly server: string;
  readonly client: string;
  /** What the client dials. */
  readonly address: string;
  readonly port: number;
  readonly mtuBytes: number;
  readonly join: number | null;
  /** `null` when the server's manifest is missing or not as weft writes it. */
  readonly service: ServiceState | null;
  /** By cluster: what each end holds about the other. */
  readonly sides: ReadonlyMap<string, SideState>;
}

export interface ServiceState {
  readonly type: string;
  readonly port: string;
  readonly nodePort: string | null;
  readonly loadBalancerIP: string | null;
  readonly loadBalancerClass: string | null;
  readonly externalTrafficPolicy: string;
  /** Whether a load balancer gets node ports. */
  readonly allocatesNodePorts: boolean;
  /** `key=value`, sorted. */
  readonly annotations: readonly string[];
}

export interface SideState {
  readonly cluster: string;
  readonly peer: string;
  readonly template: string | null;
  readonly names: NamesState;
  /** The key of the gateway at the other end, as this end holds it. */
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

/** Identity of a link in a plan, independent of the order of its ends. */
export function pairOf(a: string, b: string): string {
  const [first, second] = inOrder(a, b);
  return printLinkId({ first, second });
}

/** Names of the objects in one cluster for one peer, where they are not those that liqoctl gives; else `null`. */
export interface NamesState {
  readonly namespace: string | null;
  readonly configuration: string | null;
  readonly gateway: string | null;
  /** Also `null` where there is no PublicKey. */
  readonly publicKey: string | null;
  /** Of the Secret with the keys; `null` for the one that the fleet usually has. */
  readonly secret: string | null;
}

export const NAMED = ['namespace', 'configuration', 'gateway', 'publicKey', 'secret'] as const;

export const viewsOfKind = ({ views }: SideState, kind: ViewState['kind']): readonly ViewState[] =>
  views.filter((it) => it.kind === kind);

/**
 * For each view the one that it continues: that of the same network, and for a network that replaces another one in the
 * list, that of the replaced network. A network that is only added continues none.
 */
export function earlierViews(from: readonly ViewState[], to: readonly ViewState[]): readonly (ViewState | undefined)[] {
  const [old, now] = [new Map(from.map((it) => [it.cidr, it])), new Set(to.map((it) => it.cidr))];
  const replaced = from.filter((it) => !now.has(it.cidr));
  return to.map((it) => old.get(it.cidr) ?? replaced.shift());
}

/** Whether the lock keeps views of a cluster that a new installation of its Liqo would not get, since it asks for all again. */
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
