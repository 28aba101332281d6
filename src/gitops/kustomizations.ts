import type { AddressedCluster, Peer } from '../ipam/addressed-model.ts';
import type { Fleet } from '../model/network-model.ts';
import { kustomization } from './kustomization.ts';
import { hasOrderedLinks } from './sync-wave.ts';

export interface Parts {
  /** File names below `gateway-templates/`. */
  readonly hasTemplates: readonly string[];
  /** File names below `shortcuts/`. */
  readonly shortcuts: readonly string[];
}

interface TextFile {
  /** Relative to the cluster's folder. */
  readonly path: string;
  readonly text: string;
}

/** The folder that Flux applies first where links need an order: everything of the cluster but those links. */
export const UNORDERED_FOLDER = 'unordered';

/**
 * Every kustomization.yaml of a cluster's bundle. Each part is a folder with a kustomization of its own, since kustomize
 * takes a folder from outside the root it builds, but no file.
 */
export function clusterKustomizations(cluster: AddressedCluster, fleet: Fleet, parts: Parts): readonly TextFile[] {
  const file = (folder: string, resources: readonly string[]): TextFile => ({
    path: folder === '' ? 'kustomization.yaml' : `${folder}/kustomization.yaml`,
    text: kustomization(fleet.topologyFile, resources),
  });
  const shared = [
    { folder: 'gateway-templates', files: parts.hasTemplates },
    { folder: 'shortcuts', files: parts.shortcuts },
  ].filter((it) => it.files.length > 0);
  const folders = (peers: readonly Peer[]) => [...shared.map((it) => it.folder), ...peers.map(peerFolder)];

  const files = [
    file('', folders(cluster.peers)),
    ...shared.map((it) => file(it.folder, it.files)),
    ...cluster.peers.map((it) => file(peerFolder(it), [`${it.name}.yaml`])),
  ];
  if (isChained(cluster, fleet)) {
    const free = cluster.peers.filter((it) => !it.orderDependent);
    files.push(
      file(
        UNORDERED_FOLDER,
        folders(free).map((it) => `../${it}`),
      ),
    );
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Where the objects for one peer are, relative to the cluster's folder. */
export const peerFolder = (peer: Peer): string => `peers/${peer.name}`;

/** True when Flux applies the cluster's bundle in several steps. */
export function isChained(cluster: AddressedCluster, fleet: Fleet): boolean {
  return fleet.gitops?.flux != null && hasOrderedLinks(cluster);
}
