import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import { APP_MANAGED_BY_LABEL, NETWORK_TYPE_LABEL, NOT_REMAPPED_LABEL } from '../../base/releases/labels.ts';
import { listAt, textAt } from '../dumps/json.ts';
import {
  isTenantNamespace,
  type KubernetesObject,
  kindKeyOf,
  type LiveCluster,
  objectKey,
  type Place,
  placeOf,
  remoteOf,
} from '../dumps/kubernetes-object.ts';
import { type LimitsOfOthers, type ObservedBoundaries, observeBoundaries, observeLimits } from './boundaries.ts';
import { isKeySecret, type ObservedPeer, observePeer } from './peer.ts';
import { argumentsOf, type ObservedSharing, observeSharing } from './sharing.ts';

/** The network state in the objects of a live cluster, neither checked nor completed. */
export interface ObservedCluster {
  readonly cluster: string;
  /** The dumped kinds, as `kindKey` prints them. Objects of any other kind are unknown. */
  readonly listed: ReadonlySet<string>;
  /** The installed Liqo release, e.g. `1.2.0`; `null` when no object names one. */
  readonly release: string | null;
  /** Every version on objects of the chart, most frequent first: several during an upgrade. */
  readonly versions: readonly string[];
  /** The namespace of Liqo; `null` when no object of the chart was found. */
  readonly liqoNamespace: string | null;
  /** The cluster's own Networks by role; those with another label are left out. */
  readonly own: Readonly<Record<OwnRole, readonly OwnNetwork[]>>;
  /** Networks that users created: neither the cluster's own nor requested by a Configuration. */
  readonly otherNetworks: readonly (Place & { readonly given: string | null })[];
  /** The IPAM pools in their order; `null` when its Deployment was not dumped. */
  readonly pools: readonly string[] | null;
  /** By cluster ID, sorted. */
  readonly peers: ReadonlyMap<string, ObservedPeer>;
  /** Every cluster that has a Configuration or a namespace here. */
  readonly remotes: ReadonlySet<string>;
  /** Gateway templates by `objectKey`. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  readonly sharing: ObservedSharing;
  readonly boundaries: ObservedBoundaries;
  readonly limitsOfOthers: LimitsOfOthers;
  /** The source of the gateway images; `null` when no object shows it. */
  readonly images: Images | null;
  /** The ForeignClusterConnections, which the operator of the fork connects. */
  readonly shortcuts: readonly ObservedShortcut[];
  /** Objects that a tool other than Liqo or kubectl manages. */
  readonly kept: readonly KeptObject[];
}

export interface ObservedShortcut extends Place {
  readonly client: string;
  readonly server: string;
}

export interface Images {
  /** Without a trailing slash. */
  readonly registry: string;
  readonly tag: string;
}

/** An object of a peer with the mark of the tool that keeps it as it is. */
interface KeptObject extends Place {
  readonly kind: string;
  /** `Argo CD`, `Flux`, or the name in the mark. */
  readonly tool: string;
  /** The tool's name for the group of the object; `null` when the mark has none. */
  readonly group: string | null;
}

export type OwnRole = 'pod' | 'service' | 'external' | 'internal' | 'reserved';

/** A Network that the chart created. */
export interface OwnNetwork {
  readonly name: string;
  /** The CIDR that the chart requested. */
  readonly asked: string;
  /** The CIDR that the IPAM assigned; `null` before that. */
  readonly given: string | null;
  /** True when the CIDR was set at installation, so Liqo must not move it. */
  readonly isFixed: boolean;
}

type Listed = Pick<LiveCluster, 'cluster' | 'objects' | 'listed' | 'forbidden'>;

/** A cache for clusters that are still in memory. */
const known = new WeakMap<Listed, ObservedCluster>();

/** Returns the network and loan facts of a cluster, read once. Other objects are ignored. */
export function observeCluster(live: Listed): ObservedCluster {
  const facts = known.get(live) ?? readFacts(live);
  known.set(live, facts);
  return facts;
}

function readFacts({ cluster, objects, listed, forbidden }: Listed): ObservedCluster {
  const all = [...objects.values()];
  const networks = all.filter((it) => kindKeyOf(it) === NETWORK);
  const installed = networks.filter(isOfChart);
  const aboutRemotes = all.filter((it) => remoteOf(it) !== null && isOfPeering(it));
  const byRemote = groupBy(aboutRemotes, (it) => [remoteOf(it) ?? '']);
  const ownOf = (role: OwnRole): readonly OwnNetwork[] =>
    installed.filter((it) => it.metadata.labels?.[NETWORK_TYPE_LABEL] === LABELS[role]).map(observeOwnNetwork);
  const liqoNamespace = installed[0]?.metadata.namespace ?? null;
  const versions = versionsAmong(all, liqoNamespace);
  return {
    cluster,
    listed,
    release: versions.flatMap((it) => RELEASE.exec(it)?.[1] ?? [])[0] ?? null,
    versions,
    liqoNamespace,
    own: {
      pod: ownOf('pod'),
      service: ownOf('service'),
      external: ownOf('external'),
      internal: ownOf('internal'),
      reserved: ownOf('reserved'),
    },
    otherNetworks: networks
      .filter((it) => !isOfChart(it) && remoteOf(it) === null)
      .map((it) => ({ ...placeOf(it), given: textAt(it['status'], 'cidr') ?? null })),
    pools: poolsAmong(all),
    peers: new Map(
      sortedUnique([...byRemote.keys()])
        .map((it) => [it, observePeer(it, byRemote.get(it) ?? [])] as const)
        .filter(([, it]) => isLinked(it)),
    ),
    remotes: new Set(all.flatMap((it) => (NAMES_REMOTE.has(it.kind) ? (remoteOf(it) ?? []) : []))),
    sharing: observeSharing(cluster, all),
    boundaries: observeBoundaries(all, listed),
    limitsOfOthers: observeLimits(all, forbidden),
    templates: new Map(all.filter((it) => TEMPLATES.has(kindKeyOf(it))).map((it) => [objectKey(it), it])),
    images: imagesAmong(all),
    shortcuts: all.filter((it) => kindKeyOf(it) === SHORTCUT).flatMap(shortcutOf),
    kept: aboutRemotes.flatMap(observeKept),
  };
}

/** Secrets of loans and offloaded namespaces have the label of a remote cluster, but are no part of a peering. */
function isOfPeering(it: KubernetesObject): boolean {
  if (it.kind === 'Secret') return isKeySecret(it);
  return it.kind !== 'Namespace' || isTenantNamespace(it);
}

/** A loan without a link has a tenant namespace, too. */
const isLinked = ({ configurations, gateways, publicKeys, connections, networks }: ObservedPeer): boolean =>
  [configurations, gateways, publicKeys, connections, networks].some((it) => it.length > 0);

const NETWORK = 'Network.ipam.liqo.io';
const SHORTCUT = 'ForeignClusterConnection.networking.liqo.io';
const isOfChart = ({ metadata }: KubernetesObject): boolean => metadata.labels?.[NETWORK_TYPE_LABEL] !== undefined;

const NAMES_REMOTE = new Set(['Configuration', 'Namespace']);
const TEMPLATES = new Set(['WgGatewayServerTemplate.networking.liqo.io', 'WgGatewayClientTemplate.networking.liqo.io']);

/** Values of the label. Source: liqotech/liqo@v1.2.0 pkg/consts/ipam.go. */
const LABELS: Readonly<Record<OwnRole, string>> = {
  pod: 'pod-cidr',
  service: 'service-cidr',
  external: 'external-cidr',
  internal: 'internal-cidr',
  reserved: 'reserved',
};

function observeOwnNetwork({ metadata, spec, status }: KubernetesObject): OwnNetwork {
  return {
    name: metadata.name,
    asked: textAt(spec, 'cidr') ?? '',
    given: textAt(status, 'cidr') ?? null,
    isFixed: metadata.labels?.[NOT_REMAPPED_LABEL] === 'true',
  };
}

/** In `spec`, A is the client end and B the server end. */
function shortcutOf(object: KubernetesObject): readonly ObservedShortcut[] {
  const [client, server] = ['foreignClusterA', 'foreignClusterB'].map((it) => textAt(object['spec'], it));
  return client === undefined || server === undefined ? [] : [{ ...placeOf(object), client, server }];
}

/**
 * Returns the versions on the chart's objects in Liqo's namespace, or in all namespaces if it has none. Gateways have
 * these labels, too, and keep those of an earlier release until their pods are replaced. Source: liqotech/liqo@v1.2.0
 * deployments/liqo/templates/_helpers.tpl (liqo.labels).
 */
function versionsAmong(objects: readonly KubernetesObject[], liqoNamespace: string | null): readonly string[] {
  const ofChart = objects.filter(({ metadata }) => metadata.labels?.[CHART_LABEL]?.startsWith('liqo-'));
  const inPlace = ofChart.filter((it) => it.metadata.namespace === liqoNamespace);
  const counts = new Map<string, number>();
  for (const { metadata } of inPlace.length > 0 ? inPlace : ofChart) {
    const version = metadata.labels?.[APP_VERSION_LABEL] ?? metadata.labels?.[CHART_LABEL]?.slice('liqo-'.length);
    if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([version]) => version);
}

const CHART_LABEL = 'helm.sh/chart';
const APP_VERSION_LABEL = 'app.kubernetes.io/version';

/** Matches the version of a release, not the commit of a build. */
const RELEASE = /^v(\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)$/;

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-ipam-deployment.yaml. */
function poolsAmong(objects: readonly KubernetesObject[]): readonly string[] | null {
  const ipam = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-ipam');
  const pools = argumentsOf(ipam).find((it) => it.startsWith('--pools='));
  return pools?.slice('--pools='.length).split(',') ?? null;
}

/** The images of the chart, by those of its controller manager. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
function imagesAmong(objects: readonly KubernetesObject[]): Images | null {
  const manager = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-controller-manager');
  const [image] = listAt(manager?.['spec'], 'template', 'spec', 'containers').map((it) => textAt(it, 'image'));
  const [, registry, tag] = /^(.+)\/liqo-controller-manager:([^@]+)/.exec(image ?? '') ?? [];
  return registry === undefined || tag === undefined ? null : { registry, tag };
}

/** Kinds that users apply. Liqo creates all others, with the labels of its chart. */
const APPLIED = ['Namespace', 'Configuration', 'GatewayServer', 'GatewayClient', 'PublicKey', 'Secret'];

/** Returns the mark of the tool that applied an object. */
function observeKept(object: KubernetesObject): readonly KeptObject[] {
  if (!APPLIED.includes(object.kind)) return [];
  const mark = trackedBy(object) ?? managedBy(object) ?? ownedBy(object);
  return mark === undefined ? [] : [{ ...placeOf(object), kind: object.kind, ...mark }];
}

type Mark = Pick<KeptObject, 'tool' | 'group'>;

/** Source: argoproj/argo-cd common/common.go, fluxcd/pkg runtime and kustomize-controller api/v1. */
function trackedBy({ metadata }: KubernetesObject): Mark | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const tracking = annotations['argocd.argoproj.io/tracking-id']?.split(':')[0];
  const application = tracking ?? labels['argocd.argoproj.io/instance'];
  if (application !== undefined) return { tool: 'Argo CD', group: application };
  const flux = labels['kustomize.toolkit.fluxcd.io/name'] ?? labels['helm.toolkit.fluxcd.io/name'];
  return flux === undefined ? undefined : { tool: 'Flux', group: flux };
}

function managedBy({ metadata }: KubernetesObject): Mark | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const tool = labels[APP_MANAGED_BY_LABEL];
  return tool === undefined ? undefined : { tool, group: annotations['meta.helm.sh/release-name'] ?? null };
}

/** An owner that is not an object of Liqo. */
function ownedBy({ metadata }: KubernetesObject): Mark | undefined {
  const [owner] = listAt(metadata, 'ownerReferences').filter(
    (it) => !/(^|\.)liqo\.io\//.test(textAt(it, 'apiVersion') ?? ''),
  );
  const kind = textAt(owner, 'kind');
  return kind === undefined ? undefined : { tool: kind, group: textAt(owner, 'name') ?? null };
}
