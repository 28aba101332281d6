import { join } from 'node:path';
import {
  type BundlePath,
  clusterFolderOf,
  isKustomization,
  parseBundlePath,
  printBundlePath,
} from '../../base/core/bundle-path.ts';
import { inOrder } from '../../base/core/collections.ts';
import type { Compiled } from '../../compile.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { readManifestLines } from '../../plan/read-manifest-lines.ts';
import type { Removal } from '../../plan/removal-guard.ts';
import type { Inspection } from '../disk/tree/inspect-tree.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { type PlanPorts, type PlanRequest, planFleet } from './plan-fleet.ts';
import type { FileReader } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/**
 * The clusters whose files were removed and that are no longer in the topology, not even under another name.
 *
 * @param removed paths below `out/`
 */
export function removedClusters({ clusters }: AddressedModel, removed: readonly string[]): readonly string[] {
  const folders = new Set(removed.flatMap((path) => clusterFolderOf(path) ?? []));
  const formerNames = new Set([...clusters.values()].flatMap((it) => it.renamedFrom?.value ?? []));
  return [...folders].filter((name) => !clusters.has(name) && !formerNames.has(name));
}

/** The destination of bundles. */
export interface Destination {
  /** The folder of the bundles. */
  readonly out: string;
  /** Clusters whose folders are written; `null` for everything. */
  readonly only: readonly string[] | null;
}

/**
 * Clusters whose full bundle would be replaced by an empty one although they are not retired. Argo CD and Flux would
 * then delete every tunnel of the cluster, so the user must allow it.
 */
export async function emptiedClusters(
  files: FileReader,
  { model, bundle }: Compiled,
  to: Destination,
): Promise<readonly string[]> {
  const emptied: string[] = [];
  for (const cluster of model.clusters.values()) {
    if (cluster.retired || (to.only !== null && !to.only.includes(cluster.name))) continue;
    // A cluster with a peer is never empty, so its text need not be printed.
    if (cluster.peers.size > 0) continue;
    const path = printBundlePath({ part: 'kustomization', cluster: cluster.name });
    if (!isEmpty(bundle.get(path) ?? '')) continue;
    const before = await files.readText(join(to.out, path));
    if (before.kind === 'ok' && !isEmpty(before.text)) emptied.push(cluster.name);
  }
  return emptied;
}

const isEmpty = (kustomization: string): boolean =>
  readManifestLines(kustomization).some((it) => it.get('resources') === '[]');

interface CompileToJudge extends Pick<PlanRequest, 'relock' | 'out' | 'maxRemoved'> {
  readonly topology: ReadyTopology;
  /** The changes that compile would make on disk. */
  readonly found: Inspection;
}

/**
 * The removals of a compile that exceed the limit of a plan. The removed and changed files quickly show that most edits
 * are harmless. Only for the others the plan is made, which separates a renamed cluster from a removed one, and finds the
 * namespaces of providers whose volumes would be deleted. Without a readable state before, the files decide.
 */
export async function removalsOfCompile(ports: PlanPorts, compile: CompileToJudge): Promise<readonly Removal[]> {
  const { topology, relock = [], out, maxRemoved } = compile;
  const removed = removedFiles(compile).filter((it) => it.gone.length > it.of * maxRemoved);
  const isShared = changesSharing(compile);
  if (removed.length === 0 && !isShared) return [];
  const byFiles = [...removed, ...withdrawnFiles(compile)];
  try {
    const { lock, topology: path } = topology.files;
    const base = { kind: 'out' } as const;
    const planned = await planFleet(ports, {
      topology: path,
      lock,
      relock,
      out,
      base,
      allowDestroy: false,
      maxRemoved,
    });
    if (planned.kind !== 'planned') return byFiles;
    // Compile checks lost and moved keys separately.
    const ofFiles: readonly Removal['what'][] = removed.length > 0 ? ['clusters', 'links'] : [];
    const ofSharing: readonly Removal['what'][] = isShared ? ['namespaces', 'links-of-loans'] : [];
    return planned.removals.filter((it) => [...ofFiles, ...ofSharing].includes(it.what));
  } catch (error) {
    if (error instanceof OperationRefused) return byFiles;
    throw error;
  }
}

/** True when existing files about shared resources would be changed or removed. */
function changesSharing({ found }: CompileToJudge): boolean {
  const changed = found.placements.filter((it) => !it.isNew).map((it) => it.path);
  return placesOf([...changed, ...found.removals]).some(
    (it) => (it.part === 'sharing' || it.part === 'offloading') && !isKustomization(it),
  );
}

/** Namespaces whose files would be removed. The files of providers show which ones contain several namespaces. */
function withdrawnFiles({ found }: CompileToJudge): readonly Removal[] {
  const gone = placesOf(found.removals).flatMap((it) =>
    it.part === 'offloading' && !isKustomization(it) ? [[it.name, `the providers of ${it.cluster}`]] : [],
  );
  return gone.length === 0 ? [] : [{ what: 'namespaces', gone, of: gone.length }];
}

/** Clusters and links whose files would be removed, and how many had files before. */
function removedFiles({ topology, found }: CompileToJudge): readonly Removal[] {
  if (found.removals.length === 0) return [];
  const { model, bundle } = topology.compiled;
  const created = new Set(found.placements.filter((it) => it.isNew).map((it) => it.path));
  const removed = placesOf(found.removals);
  const stay = placesOf([...bundle.keys()].filter((it) => !created.has(it)));
  const retired = [...model.clusters.values()].filter((it) => it.retired).map((it) => it.name);
  const gone = new Set([
    ...clustersIn(removed),
    ...retired.filter((it) => removed.some((place) => isPeerOf(it, place))),
  ]);
  const links = linksIn(removed);
  return [
    { what: 'clusters', gone: [...gone].map((it) => [it]), of: new Set([...gone, ...clustersIn(stay)]).size },
    { what: 'links', gone: [...links.values()], of: new Set([...links.keys(), ...linksIn(stay).keys()]).size },
  ];
}

const placesOf = (paths: readonly string[]): readonly BundlePath[] => paths.flatMap((it) => parseBundlePath(it) ?? []);

const clustersIn = (places: readonly BundlePath[]): readonly string[] =>
  places.flatMap((it) => (it.part === 'kustomization' ? [it.cluster] : []));

const isPeerOf = (cluster: string, place: BundlePath): boolean => place.part === 'peer' && place.cluster === cluster;

/** The two ends of each link that has manifests among these files. */
const linksIn = (places: readonly BundlePath[]): ReadonlyMap<string, readonly [string, string]> =>
  new Map(
    places.flatMap((it) => {
      if (it.part !== 'peer' || it.file !== 'manifests') return [];
      const ends = inOrder(it.cluster, it.peer);
      return [[ends.join('/'), ends] as const];
    }),
  );
