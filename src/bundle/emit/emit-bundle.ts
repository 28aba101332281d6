import { describeValues, sameValues } from '../../base/core/collections.ts';
import { folderFiles } from '../../base/core/folder-files.ts';
import { printHeader } from '../../base/core/generated-files.ts';
import { once, oncePerText } from '../../base/core/once.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressesFile, AddressesGateway, AddressesView } from '../../base/schema-types/addresses.ts';
import { type BoundedModel, boundariesOf, boundedNamespaces, isFenced } from '../../fleet/boundaries/bounded-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  ownEnd,
  type Peer,
  type View,
} from '../../fleet/ipam/addressed-model.ts';
import { sharingOf } from '../../fleet/sharing/shared-model.ts';
import { argoEntryPoints } from '../gitops/argo-entry-points.ts';
import type { EntryPoint } from '../gitops/entry-point.ts';
import { fluxEntryPoints } from '../gitops/flux-entry-points.ts';
import { shortcutsOfHub } from '../liqo/lower-shortcut-connections.ts';
import { type Bundle, type BundleFile, filesByPath } from './bundle.ts';
import { emitCluster } from './emit-cluster.ts';
import { printYamlDocuments } from './print-yaml.ts';

/**
 * All of `out/`, or some folders.
 *
 * @param only clusters and other folders that are emitted; `null` for everything, including entry points and addresses.
 * @param versionOf the version of each folder; without it versions are unknown.
 */
export function emitBundle(
  model: BoundedModel,
  only: readonly string[] | null,
  versionOf: Bundle['versionOf'] = () => undefined,
): Bundle {
  const folders = only && new Set(only);
  const isWanted = (folder: string): boolean => folders?.has(folder) ?? true;
  const wanted = [...model.clusters.values()].filter((it) => isWanted(it.name));
  const clusters = wanted.map((it) => [it.name, () => filesByPath(emitCluster(it, model))] as const);
  // Folders that belong to no cluster.
  const others = Object.entries(FLEET_FOLDERS).filter(([folder]) => isWanted(folder));
  const printed = others.map(([folder, print]) => [folder, () => print(model)] as const);
  return folderFiles(new Map([...clusters, ...printed]), { versionOf });
}

/** The model that a bundle was printed from, with a version for each folder. */
interface Last {
  readonly model: BoundedModel;
  readonly versions: ReadonlyMap<string, object>;
}

/**
 * `emitBundle` with a memory, for a process that compiles the same topologies repeatedly: a folder with the same files
 * as last time has the same version, so that a reader with this version need not read them.
 */
export function bundleMemory(): typeof emitBundle {
  const last = new Map<string, Last>();
  return (model, only) => {
    const { path } = model.fleet.at.source;
    const versions = nextVersions(last.get(path), model);
    last.set(path, { model, versions });
    return emitBundle(model, only, (folder) => versions.get(folder));
  };
}

function nextVersions(last: Last | undefined, model: BoundedModel): ReadonlyMap<string, object> {
  const isSame = last === undefined ? () => false : sameFolders(last.model, model);
  const folders = [...model.clusters.keys(), ...Object.keys(FLEET_FOLDERS)];
  return new Map(folders.map((it) => [it, (isSame(it) ? last?.versions.get(it) : undefined) ?? {}]));
}

/**
 * Returns true for the folders that are equal in two models. The folder of a cluster is printed from everything about
 * the cluster, and from the declarations of its neighbours, the clusters with which it has a link or a loan. A cluster
 * with loans, or with shortcuts between its neighbours, also reads their views of their own peers. No printer reads
 * more. Entry points are printed from a few facts about every cluster, and `addresses.json` from the clusters' views of
 * their peers.
 */
function sameFolders(before: BoundedModel, after: BoundedModel): (folder: string) => boolean {
  const clusters = new Set<object>(before.clusters.values());
  const areSame = sameValues((a, b) => {
    // No file contains positions in the topology.
    if (isSpan(a)) return isSpan(b);
    return clusters.has(a) ? after.clusters.get((a as AddressedCluster).name) === b : undefined;
  });
  const known = new Map<string, boolean>();
  const isSame = (cluster: string): boolean => {
    const it = known.get(cluster) ?? areSame(aboutCluster(cluster, before), aboutCluster(cluster, after));
    known.set(cluster, it);
    return it;
  };
  const isDeclaredTheSame = (cluster: string): boolean =>
    isSame(cluster) || areSame(withoutPeers(cluster, before), withoutPeers(cluster, after));
  const isAppliedTheSame = (cluster: string): boolean =>
    isSame(cluster) || areSame(aboutApplying(cluster, before), aboutApplying(cluster, after));
  const isSameFleet = areSame(before.fleet, after.fleet);
  const areAll = (isOne: (cluster: string) => boolean): boolean =>
    before.clusters.size === after.clusters.size && [...after.clusters.keys()].every(isOne);
  const ofFleet: Readonly<Record<FleetFolder, () => boolean>> = {
    _argocd: () => areAll(isAppliedTheSame),
    _flux: () => areAll(isAppliedTheSame),
    '': () => areAll(isSame),
  };
  const ofCluster = (cluster: string): boolean =>
    isSame(cluster) && neighboursOf(cluster, after).every(readsFurther(cluster, after) ? isSame : isDeclaredTheSame);
  return (folder) => isSameFleet && (isFleetFolder(folder) ? ofFleet[folder]() : ofCluster(folder));
}

/**
 * Versions of folders that later processes can compare: texts, made of the same facts by which `bundleMemory` compares two models.
 *
 * @param digest a short text for a long one, another one for every other text
 */
export function folderVersions(
  model: BoundedModel,
  digest: (text: string) => string,
): (folder: string) => string | undefined {
  const names = new Map<object, string>([...model.clusters.values()].map((it) => [it, it.name]));
  const describe = describeValues((it) => (isSpan(it) ? 'span' : names.get(it)));
  const versionFrom = (make: (cluster: string) => unknown) =>
    oncePerText((cluster: string) => digest(describe(make(cluster))));
  const own = versionFrom((it) => aboutCluster(it, model));
  const declared = versionFrom((it) => withoutPeers(it, model));
  const applied = versionFrom((it) => aboutApplying(it, model));
  const fleet = once(() => digest(describe(model.fleet)));
  const ofAll = (versionOf: (cluster: string) => string): string =>
    digest([fleet(), ...[...model.clusters.keys()].map((it) => `${it} ${versionOf(it)}`)].join('\n'));
  const ofAllApplied = once(() => ofAll(applied));
  const ofCluster = (cluster: string): string => {
    const neighbour = readsFurther(cluster, model) ? own : declared;
    return digest([fleet(), own(cluster), ...neighboursOf(cluster, model).map(neighbour)].join('\n'));
  };
  return (folder) => {
    if (isFleetFolder(folder)) return folder === '' ? ofAll(own) : ofAllApplied();
    return model.clusters.has(folder) ? ofCluster(folder) : undefined;
  };
}

/** True for a span, which is a plain object: a node of a document has these fields, too. */
const isSpan = (it: object): boolean =>
  'source' in it && 'start' in it && 'end' in it && Object.getPrototypeOf(it) === Object.prototype;

/** Everything in a model about one cluster; references to other clusters are compared by name. */
const aboutCluster = (name: string, model: BoundedModel) => ({
  cluster: { ...model.clusters.get(name) },
  sharing: sharingOf(model, name),
  boundaries: boundariesOf(model, name),
  shortcuts: shortcutsOfHub(name, model),
});

const withoutPeers = (name: string, model: BoundedModel) => ({ ...model.clusters.get(name), peers: null });

/** The facts that entry points are printed from; `null` for a missing cluster. */
function aboutApplying(name: string, model: BoundedModel) {
  const cluster = model.clusters.get(name);
  if (cluster === undefined) return null;
  const { gitops, liqoNamespace, retired, traits, peers } = cluster;
  return {
    ...{ gitops, liqoNamespace, retired, traits, sharing: sharingOf(model, name) },
    ...{ bounded: boundedNamespaces(model, name), isFenced: isFenced(cluster) },
    peers: [...peers.values()].map((it) => [it.name, it.remapped, ownEnd(it).names]),
  };
}

const readsFurther = (name: string, model: BoundedModel): boolean =>
  model.sharing.has(name) || shortcutsOfHub(name, model).length > 0;

const neighboursOf = (name: string, model: BoundedModel): readonly string[] => [
  ...(model.clusters.get(name)?.peers.keys() ?? []),
  ...sharingOf(model, name).partners.map((it) => it.cluster.name),
];

/** The folders of a bundle that belong to no cluster; the empty name is that of files in no folder. */
type FleetFolder = '_argocd' | '_flux' | '';

/** The printers of these folders. */
export const FLEET_FOLDERS: Readonly<Record<FleetFolder, (model: BoundedModel) => ReadonlyMap<string, string>>> = {
  _argocd: (model) => filesByPath(filesOf(argoEntryPoints(model), model)),
  _flux: (model) => filesByPath(filesOf(fluxEntryPoints(model), model)),
  '': (model) => filesByPath([{ path: { part: 'addresses' }, text: emitAddresses(model) }]),
};

const isFleetFolder = (folder: string): folder is FleetFolder => Object.hasOwn(FLEET_FOLDERS, folder);

function* filesOf(entryPoints: Iterable<EntryPoint>, model: BoundedModel): Iterable<BundleFile> {
  for (const it of entryPoints) yield { path: it.path, text: entryPointText(it, model) };
}

function entryPointText(entryPoint: EntryPoint, model: BoundedModel): string {
  if (entryPoint.kind === 'text') return entryPoint.text;
  return printHeader(model.fleet.topologyFile) + printYamlDocuments(entryPoint.manifests);
}

/**
 * `addresses.json`: every view and gateway for programs, one row per line, by cluster and then in apply order. Empty lines, one
 * between peers and two between clusters, keep changed lines of neighbours apart: git does not merge changes that touch.
 */
function emitAddresses(model: AddressedModel): string {
  const version: AddressesFile['version'] = 1;
  const views = printRows(model, viewRows);
  const gateways = printRows(model, (cluster, peer) => [gatewayRow(cluster, peer)]);
  return `{\n  "version": ${version},\n  "topology": ${JSON.stringify(model.fleet.name)},\n  "views": ${views},\n  "gateways": ${gateways}\n}\n`;
}

function printRows(
  { clusters }: AddressedModel,
  rowsOf: (cluster: AddressedCluster, peer: Peer) => readonly (AddressesView | AddressesGateway)[],
): string {
  const printed = [...clusters.values()].flatMap((cluster) => {
    const peers = [...cluster.peers.values()].map((peer) =>
      rowsOf(cluster, peer)
        .map((it) => `    ${JSON.stringify(it)}`)
        .join(',\n'),
    );
    return peers.length === 0 ? [] : [peers.join(',\n\n')];
  });
  return printed.length === 0 ? '[]' : `[\n${printed.join(',\n\n\n')}\n  ]`;
}

function viewRows(cluster: AddressedCluster, peer: Peer): readonly AddressesView[] {
  const row = (kind: 'pod' | 'external', view: View): AddressesView => ({
    cluster: cluster.name,
    peer: peer.name,
    kind,
    cidr: printPrefix(view.cidr),
    seenAs: printPrefix(view.seenAs),
    link: peer.link.kind,
    orderDependent: peer.orderDependent,
    history: view.history,
  });
  return [...peer.podViews.map((it) => row('pod', it)), row('external', peer.externalView)];
}

function gatewayRow(cluster: AddressedCluster, { name, role, link }: Peer): AddressesGateway {
  const { address, port } = link.endpoint;
  return { cluster: cluster.name, peer: name, role, address, port, mtu: link.mtuBytes };
}
