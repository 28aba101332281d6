import { sameValues } from '../../base/core/same-values.ts';
import { type AddressedCluster, ownEnd } from '../../fleet/ipam/addressed-model.ts';
import { type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';
import { shortcutsOfHub } from '../liqo/shortcuts-of-hub.ts';
import { type FleetFolder, isFleetFolder } from './fleet-folders.ts';

/**
 * Which folders of two models are the same. That of a cluster is printed from everything about its cluster, and from what is
 * declared of its neighbours, those that it has a link or a loan with. Who shares with them or has shortcuts between them also reads
 * how they see their own peers. No printer looks further. Entry points are printed from a few facts about every cluster, and
 * `addresses.json` from what clusters see of their peers.
 */
export function sameFolders(before: SharedModel, after: SharedModel): (folder: string) => boolean {
  const clusters = new Set<object>(before.clusters.values());
  const areSame = sameValues((a, b) => {
    // Nothing is printed of where something was declared.
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

/** A plain object: a node of a document has these fields, too. */
const isSpan = (it: object): boolean =>
  'source' in it && 'start' in it && 'end' in it && Object.getPrototypeOf(it) === Object.prototype;

/** Everything of a model about one cluster; other clusters are parts of it, and they are known by their names. */
const aboutCluster = (name: string, model: SharedModel) => ({
  cluster: { ...model.clusters.get(name) },
  sharing: sharingOf(model, name),
  shortcuts: shortcutsOfHub(name, model),
});

const withoutPeers = (name: string, model: SharedModel) => ({ ...model.clusters.get(name), peers: null });

/** What entry points are printed from; `null` for a cluster that is not there. */
function aboutApplying(name: string, model: SharedModel) {
  const cluster = model.clusters.get(name);
  if (cluster === undefined) return null;
  const { gitops, liqoNamespace, retired, traits, peers } = cluster;
  return {
    ...{ gitops, liqoNamespace, retired, traits, sharing: sharingOf(model, name) },
    peers: [...peers.values()].map((it) => [it.name, it.remapped, ownEnd(it).names]),
  };
}

const readsFurther = (name: string, model: SharedModel): boolean =>
  model.sharing.has(name) || shortcutsOfHub(name, model).length > 0;

const neighboursOf = (name: string, model: SharedModel): readonly string[] => [
  ...(model.clusters.get(name)?.peers.keys() ?? []),
  ...sharingOf(model, name).partners.map((it) => it.cluster.name),
];
