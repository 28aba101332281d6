import { type ClusterPath, type ObjectFolder, printBundlePath } from '../../base/core/bundle-path.ts';
import { by } from '../../base/core/collections.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import type { TextFile } from './entry-point.ts';
import { kustomization } from './kustomization.ts';

/** The parts of a cluster's bundle besides its peers. */
interface Parts {
  /** Names of the gateway templates. */
  readonly templates: readonly string[];
  /** Names of the ForeignClusterConnections. */
  readonly shortcuts: readonly string[];
  /** Remote clusters that the cluster borrows from or lends to. */
  readonly partners: readonly string[];
  /** Namespaces that it offloads. */
  readonly offloaded: readonly string[];
  /** Peers whose tunnels it watches; `null` for a cluster without alerts. */
  readonly watched: readonly string[] | null;
}

/**
 * Every kustomization.yaml of a cluster's bundle. Each part is a folder with a kustomization of its own, because from
 * outside of the root that it builds, kustomize accepts a folder but no file.
 */
export function clusterKustomizations(cluster: AddressedCluster, fleet: Fleet, parts: Parts): readonly TextFile[] {
  const { name } = cluster;
  const peers = [...cluster.peers.values()];
  const file = (path: ClusterPath, lists: readonly ClusterPath[], isOrdered = false): TextFile =>
    kustomization({ path, topologyFile: fleet.topologyFile, lists, isOrdered });
  const templates = objectFiles('gateway-templates', name, parts.templates);
  const shortcuts = objectFiles('shortcuts', name, parts.shortcuts);
  const sharing = [objectFiles('sharing', name, parts.partners), objectFiles('offloading', name, parts.offloaded)];
  const shared = [templates, shortcuts].flatMap((it) => it.list);
  const kustomizationOf = (peer: Peer): ClusterPath => ({
    part: 'peer',
    cluster: name,
    peer: peer.name,
    file: 'kustomization',
  });
  const manifestsOf = (peer: Peer): ClusterPath => ({
    part: 'peer',
    cluster: name,
    peer: peer.name,
    file: 'manifests',
  });
  // All peers that keep their CIDRs come first, in order of name.
  const free = peers.filter((it) => !it.remapped).sort(by((it) => it.name));
  const ordered = peers.filter((it) => it.remapped);
  const files = [
    file(
      { part: 'kustomization', cluster: name },
      [
        ...templates.list,
        ...[...free, ...ordered].map(kustomizationOf),
        ...shortcuts.list,
        ...sharing.flatMap((it) => it.list),
      ],
      ordered.length > 0,
    ),
    ...[templates, shortcuts, ...sharing].flatMap((it) => it.list.map((list) => file(list, it.files))),
    ...peers.map((it) => file(kustomizationOf(it), [manifestsOf(it)])),
    ...(parts.watched === null ? [] : [file(...watchedFiles(name, parts.watched))]),
    // This list is written even when it equals the first one: Flux always reads one folder. If the first ordered links
    // of a cluster moved it to another folder, those links would be applied from the former folder without an order.
    ...(fleet.gitops?.flux == null
      ? []
      : [file({ part: 'unordered', cluster: name }, [...shared, ...free.map(kustomizationOf)])]),
  ];
  const paths = new Map(files.map((it) => [it, printBundlePath(it.path)]));
  return files.sort(by((it) => paths.get(it) ?? ''));
}

/** The files of a folder of objects and their kustomization; both are empty without objects. */
function objectFiles(part: ObjectFolder, cluster: string, names: readonly string[]) {
  const path = (name: string): ClusterPath => ({ part, cluster, name });
  return { files: names.map(path), list: names.length === 0 ? [] : [path('kustomization')] };
}

/**
 * The kustomization of the alerts, and the alerts. No other kustomization lists it: while a cluster does not have the
 * kind of these objects, Flux would apply nothing of the bundle, and the network must not depend on its monitoring.
 */
function watchedFiles(cluster: string, peers: readonly string[]): readonly [ClusterPath, readonly ClusterPath[]] {
  const path = (name: string): ClusterPath => ({ part: 'monitoring', cluster, name });
  return [path('kustomization'), peers.map(path)];
}
