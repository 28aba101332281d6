import {
  type BundlePath,
  type ClusterPath,
  isKustomization,
  type ObjectFolder,
  printBundleFolder,
  printBundlePath,
} from '../../base/core/bundle-path.ts';
import { by, byCodeUnit } from '../../base/core/collections.ts';
import { printHeader } from '../../base/core/generated-files.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import type { TextFile } from './entry-point.ts';

interface KustomizationRequest {
  readonly path: BundlePath;
  readonly topologyFile: string;
  /** The listed files. A kustomization among them is listed as its folder. */
  readonly lists: readonly BundlePath[];
  /** True when `lists` is in the order of applying, which kustomize then keeps. */
  readonly isOrdered?: boolean;
}

/**
 * A kustomization.yaml. It lists resources and changes none, so that `kubectl apply -R`, a plain directory source and
 * kustomize result in the same objects. Kustomize sorts objects by kind and name, so resources are sorted, too, unless
 * the order matters: then `fifo` keeps it for `kubectl apply -k`. Argo CD and Flux have an order of their own. An empty
 * list is written as `[]`, because kustomize refuses a file without the key. Source: kubernetes-sigs/kustomize
 * api/types/kustomization.go, v5.8.1 (`SortOptions`).
 */
export function kustomization({ path, topologyFile, lists, isOrdered = false }: KustomizationRequest): TextFile {
  const folder = printBundleFolder(path);
  const resources = lists.map((it) =>
    resourceFrom(folder, isKustomization(it) ? printBundleFolder(it) : printBundlePath(it)),
  );
  const items = (isOrdered ? resources : resources.sort(byCodeUnit)).map((it) => `\n  - ${scalar(it)}`);
  const text = `${printHeader(topologyFile)}apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:${items.length === 0 ? ' []' : items.join('')}${isOrdered ? '\nsortOptions:\n  order: fifo' : ''}
`;
  return { kind: 'text', path, text };
}

/** A path relative to a folder: outside of its own folder, kustomize accepts a folder but no file. */
function resourceFrom(folder: string, path: string): string {
  if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  const above = folder.slice(0, folder.lastIndexOf('/'));
  return `../${resourceFrom(above, path)}`;
}

/**
 * A path as a YAML scalar. weft's paths contain a slash, a dash or a file extension, or are words of weft: none is a
 * number or a boolean in YAML.
 */
const scalar = (text: string): string => (/^[A-Za-z][A-Za-z0-9._/-]*$/.test(text) ? text : JSON.stringify(text));

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
  /** Namespaces with a policy. */
  readonly bounded: readonly string[];
  /** Its prober, if it has one. */
  readonly probers: readonly string[];
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
  const policies = objectFiles('boundaries', name, parts.bounded);
  const probers = objectFiles('conformance', name, parts.probers);
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
        ...[probers, policies, ...sharing].flatMap((it) => it.list),
      ],
      ordered.length > 0,
    ),
    ...[templates, shortcuts, ...sharing, probers, policies].flatMap((it) =>
      it.list.map((list) => file(list, it.files)),
    ),
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
