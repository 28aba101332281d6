import { groupBy } from '../core/group-by.ts';
import { sortedUnique } from '../core/order.ts';
import { isJsonMap, type Json, jsonAt, textAt } from '../live/json.ts';
import { groupOf, type KubernetesObject, kindKey, objectKey } from '../live/kubernetes-object.ts';
import type { LiveCluster } from '../live/live-cluster.ts';
import {
  GATEWAY_RESOURCE_LABEL,
  NETWORK_TYPE_LABEL,
  NOT_REMAPPED_LABEL,
  REMOTE_CLUSTER_LABEL,
} from '../releases/labels.ts';
import { observePeer } from './observe-peer.ts';
import { observeSharing } from './observe-sharing.ts';
import type { ObservedCluster, ObservedPeer, OwnNetwork, OwnRole } from './observed-cluster.ts';

/** Everything that the objects of a cluster say about its network. Other objects are passed over. */
export function observeCluster({ cluster, objects }: Pick<LiveCluster, 'cluster' | 'objects'>): ObservedCluster {
  const all = [...objects.values()];
  const installed = all.filter((it) => keyOf(it) === NETWORK && it.metadata.labels?.[NETWORK_TYPE_LABEL] !== undefined);
  const aboutRemotes = all.filter(
    (it) =>
      remoteOf(it) !== undefined && (it.kind !== 'Secret' || it.metadata.labels?.[GATEWAY_RESOURCE_LABEL] === 'true'),
  );
  const byRemote = groupBy(aboutRemotes, (it) => [remoteOf(it) ?? '']);
  const ownOf = (role: OwnRole): readonly OwnNetwork[] =>
    installed.filter((it) => it.metadata.labels?.[NETWORK_TYPE_LABEL] === LABELS[role]).map(observeOwnNetwork);
  return {
    cluster,
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
  };
}

/** A cluster that lends or borrows without a link has a namespace for the other one, too. */
const isLinked = ({ configurations, gateways, publicKeys, connections, networks }: ObservedPeer): boolean =>
  [configurations, gateways, publicKeys, connections, networks].some((it) => it.length > 0);

const NETWORK = 'Network.ipam.liqo.io';
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

const remoteOf = ({ metadata }: KubernetesObject): string | undefined => metadata.labels?.[REMOTE_CLUSTER_LABEL];

function observeOwnNetwork({ metadata, spec, status }: KubernetesObject): OwnNetwork {
  return {
    name: metadata.name,
    asked: textAt(spec, 'cidr') ?? '',
    given: textAt(status, 'cidr') ?? null,
    isFixed: metadata.labels?.[NOT_REMAPPED_LABEL] === 'true',
  };
}

/** Helm writes the version of the chart on every object of it. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl. */
function releaseAmong(objects: readonly KubernetesObject[]): string | null {
  const versions = objects.flatMap((it) => {
    const { labels } = it.metadata;
    const [, version] = /^liqo-v(\d+\.\d+\.\d+(?:-rc\.\d+)?)$/.exec(labels?.['helm.sh/chart'] ?? '') ?? [];
    return version === undefined ? [] : [version];
  });
  const counts = new Map<string, number>();
  for (const it of versions) counts.set(it, (counts.get(it) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-ipam-deployment.yaml. */
function poolsAmong(objects: readonly KubernetesObject[]): readonly string[] | null {
  const ipam = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-ipam');
  const containers = jsonAt(ipam?.['spec'], 'template', 'spec', 'containers');
  const args = (Array.isArray(containers) ? (containers as readonly Json[]) : []).flatMap((it) =>
    isJsonMap(it) && Array.isArray(it['args']) ? (it['args'] as readonly Json[]) : [],
  );
  const pools = args.find((it) => typeof it === 'string' && it.startsWith('--pools='));
  return typeof pools === 'string' ? pools.slice('--pools='.length).split(',') : null;
}
