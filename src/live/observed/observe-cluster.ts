import { groupBy } from '../../base/core/group-by.ts';
import { sortedUnique } from '../../base/core/order.ts';
import {
  GATEWAY_RESOURCE_LABEL,
  NETWORK_TYPE_LABEL,
  NOT_REMAPPED_LABEL,
  REMOTE_CLUSTER_LABEL,
} from '../../base/releases/labels.ts';
import { textAt } from '../dumps/json.ts';
import { groupOf, isTenantNamespace, type KubernetesObject, kindKey, objectKey } from '../dumps/kubernetes-object.ts';
import type { LiveCluster } from '../dumps/live-cluster.ts';
import { placeOf } from './field.ts';
import { imagesAmong, poolsAmong, releaseAmong } from './observe-installation.ts';
import { observeKept } from './observe-kept.ts';
import { observePeer } from './observe-peer.ts';
import { observeSharing } from './observe-sharing.ts';
import type { ObservedCluster, ObservedPeer, ObservedShortcut, OwnNetwork, OwnRole } from './observed-cluster.ts';

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
