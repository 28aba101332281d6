import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import {
  APP_MANAGED_BY_LABEL,
  GATEWAY_RESOURCE_LABEL,
  NETWORK_TYPE_LABEL,
  NOT_REMAPPED_LABEL,
  REMOTE_CLUSTER_LABEL,
} from '../../base/releases/labels.ts';
import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import {
  groupOf,
  isTenantNamespace,
  type KubernetesObject,
  kindKey,
  type LiveCluster,
  objectKey,
} from '../dumps/kubernetes-object.ts';
import { placeOf } from './field.ts';
import { observePeer } from './observe-peer.ts';
import { observeSharing } from './observe-sharing.ts';
import type {
  Images,
  KeptObject,
  ObservedCluster,
  ObservedPeer,
  ObservedShortcut,
  OwnNetwork,
  OwnRole,
} from './observed-cluster.ts';

/** Everything that the objects of a cluster say about its network. Other objects are passed over. */
export function observeCluster({ cluster, objects, listed }: Omit<LiveCluster, 'forbidden'>): ObservedCluster {
  const all = [...objects.values()];
  const installed = all.filter((it) => keyOf(it) === NETWORK && it.metadata.labels?.[NETWORK_TYPE_LABEL] !== undefined);
  const aboutRemotes = all.filter((it) => remoteOf(it) !== undefined && isOfPeering(it));
  const byRemote = groupBy(aboutRemotes, (it) => [remoteOf(it) ?? '']);
  const ownOf = (role: OwnRole): readonly OwnNetwork[] =>
    installed.filter((it) => it.metadata.labels?.[NETWORK_TYPE_LABEL] === LABELS[role]).map(observeOwnNetwork);
  return {
    cluster,
    listed,
    release: releaseAmong(all),
    liqoNamespace: installed[0]?.metadata.namespace ?? null,
    own: {
      pod: ownOf('pod'),
      service: ownOf('service'),
      external: ownOf('external'),
      internal: ownOf('internal'),
      reserved: ownOf('reserved'),
    },
    pools: poolsAmong(all),
    peers: new Map(
      sortedUnique([...byRemote.keys()])
        .map((it) => [it, observePeer(it, byRemote.get(it) ?? [])] as const)
        .filter(([, it]) => isLinked(it)),
    ),
    sharing: observeSharing(cluster, all),
    templates: new Map(all.filter((it) => TEMPLATES.has(keyOf(it))).map((it) => [objectKey(it), it])),
    images: imagesAmong(all),
    shortcuts: all.filter((it) => keyOf(it) === SHORTCUT).flatMap(shortcutOf),
    kept: aboutRemotes.flatMap(observeKept),
  };
}

/** Secrets of loans and namespaces that a consumer offloads are labelled with a remote cluster, and no part of a peering with it. */
function isOfPeering(it: KubernetesObject): boolean {
  if (it.kind === 'Secret') return it.metadata.labels?.[GATEWAY_RESOURCE_LABEL] === 'true';
  return it.kind !== 'Namespace' || isTenantNamespace(it);
}

/** A cluster that lends or borrows without a link has a namespace for the other one, too. */
const isLinked = ({ configurations, gateways, publicKeys, connections, networks }: ObservedPeer): boolean =>
  [configurations, gateways, publicKeys, connections, networks].some((it) => it.length > 0);

const NETWORK = 'Network.ipam.liqo.io';
const SHORTCUT = 'ForeignClusterConnection.networking.liqo.io';
const TEMPLATES = new Set(['WgGatewayServerTemplate.networking.liqo.io', 'WgGatewayClientTemplate.networking.liqo.io']);

/** Values of the label. Source: liqotech/liqo@v1.2.0 pkg/consts/ipam.go. */
const LABELS: Readonly<Record<OwnRole, string>> = {
  pod: 'pod-cidr',
  service: 'service-cidr',
  external: 'external-cidr',
  internal: 'internal-cidr',
  reserved: 'reserved',
};

const keyOf = ({ apiVersion, kind }: KubernetesObject): string => kindKey(groupOf(apiVersion), kind);

const remoteOf = ({ metadata }: KubernetesObject): string | undefined => textAt(metadata.labels, REMOTE_CLUSTER_LABEL);

function observeOwnNetwork({ metadata, spec, status }: KubernetesObject): OwnNetwork {
  return {
    name: metadata.name,
    asked: textAt(spec, 'cidr') ?? '',
    given: textAt(status, 'cidr') ?? null,
    isFixed: metadata.labels?.[NOT_REMAPPED_LABEL] === 'true',
  };
}

/** A is the client end, B the server end. */
function shortcutOf(object: KubernetesObject): readonly ObservedShortcut[] {
  const [client, server] = ['foreignClusterA', 'foreignClusterB'].map((it) => textAt(object['spec'], it));
  return client === undefined || server === undefined ? [] : [{ ...placeOf(object), client, server }];
}

/** Helm writes the version of the chart on every object of it. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl. */
function releaseAmong(objects: readonly KubernetesObject[]): string | null {
  const counts = new Map<string, number>();
  for (const { metadata } of objects) {
    const [, version] = /^liqo-v(\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)$/.exec(metadata.labels?.['helm.sh/chart'] ?? '') ?? [];
    if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-ipam-deployment.yaml. */
function poolsAmong(objects: readonly KubernetesObject[]): readonly string[] | null {
  const ipam = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-ipam');
  const args = containersOf(ipam).flatMap((it) =>
    isJsonMap(it) && Array.isArray(it['args']) ? (it['args'] as readonly Json[]) : [],
  );
  const pools = args.find((it) => typeof it === 'string' && it.startsWith('--pools='));
  return typeof pools === 'string' ? pools.slice('--pools='.length).split(',') : null;
}

/** The images of the chart, by those of its controller manager. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
function imagesAmong(objects: readonly KubernetesObject[]): Images | null {
  const manager = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-controller-manager');
  const [image] = containersOf(manager).map((it) => textAt(it, 'image'));
  const [, registry, tag] = /^(.+)\/liqo-controller-manager:([^@]+)/.exec(image ?? '') ?? [];
  return registry === undefined || tag === undefined ? null : { registry, tag };
}

function containersOf(deployment: KubernetesObject | undefined): readonly Json[] {
  const containers = jsonAt(deployment?.['spec'], 'template', 'spec', 'containers');
  return Array.isArray(containers) ? (containers as readonly Json[]) : [];
}

/** Kinds that people apply; all others are made by Liqo, with the labels of its chart. */
const APPLIED = ['Namespace', 'Configuration', 'GatewayServer', 'GatewayClient', 'PublicKey', 'Secret'];

/** The marks that tools leave on what they apply, on one object. */
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

/** An owner that is no object of Liqo. */
function ownedBy({ metadata }: KubernetesObject): Mark | undefined {
  const owners = metadata['ownerReferences'];
  const [owner] = (Array.isArray(owners) ? (owners as readonly Json[]) : []).filter(
    (it) => !/(^|\.)liqo\.io\//.test(textAt(it, 'apiVersion') ?? ''),
  );
  const kind = textAt(owner, 'kind');
  return kind === undefined ? undefined : { tool: kind, group: textAt(owner, 'name') ?? null };
}
