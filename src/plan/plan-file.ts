import { type BundlePath, clusterFolderOf, isKustomization, parseBundlePath } from '../base/core/bundle-path.ts';
import type { ValueChange } from './difference.ts';
import { type LinkState, pairOf, type SharePair } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';

/** One file that differs. */
export interface FileChange {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
  /** True for the same documents in another layout: white space, quotes, comments. */
  readonly onlyLayout?: true;
  /** Changed values of a gateway template, the images of a prober, or the rules of a policy. */
  readonly values?: readonly ValueChange[];
  /** True when only annotations differ with which GitOps tools order, compare and check objects. */
  readonly onlyToolAnnotations?: true;
}

/** A path below `out/`, whether weft writes that file or not. */
export interface PlanFile {
  readonly path: string;
  /** The cluster in whose folder it is; `null` for a file of the whole fleet. */
  readonly cluster: string | null;
  /** `null` for a file that weft does not write. */
  readonly place: BundlePath | null;
}

export const planFile = (path: string): PlanFile => ({
  path,
  cluster: clusterFolderOf(path) ?? null,
  place: parseBundlePath(path) ?? null,
});

/** The first part of a path: `rome`, `_argocd`, `addresses.json`. */
export const folderOf = (path: string): string => /^[^/]*/.exec(path)?.[0] ?? '';

type BundlePart = BundlePath['part'];

export const isPart = ({ place }: PlanFile, ...parts: readonly BundlePart[]): boolean =>
  place !== null && parts.includes(place.part);

/** The peer that a file belongs to: its objects, or the rules towards it. */
export const peerOf = ({ place }: PlanFile): string | null => (place !== null && 'peer' in place ? place.peer : null);

/** The files that Argo CD and Flux start from. */
export const isEntryPoint = (file: PlanFile): boolean =>
  isPart(file, 'argocd', 'flux', 'flux-source', 'flux-clusters', 'flux-cluster');

/**
 * True for objects of the fork in a hub, whose names and statuses depend on all shortcuts of that hub. This includes
 * kustomizations, both of a cluster and of the entry points.
 */
export const isAboutShortcuts = (file: PlanFile): boolean =>
  isPart(file, 'shortcuts', 'kustomization', 'unordered', 'flux') ||
  isExpected(file, 'foreignclusterconnections') ||
  (file.place?.part === 'argocd' && file.place.file === 'kustomization');

export const isExpected = ({ place }: PlanFile, file: Extract<BundlePath, { part: 'expected' }>['file']): boolean =>
  place?.part === 'expected' && place.file === file;

/** True for a file with the cluster's own networks: the chart's values, and the objects that Liqo creates from them. */
export const hasOwnNetworks = (file: PlanFile): boolean =>
  isPart(file, 'helm-values') || isExpected(file, 'networks') || isExpected(file, 'configurations');

/** True for a gateway template, but not for their kustomization. */
export const isTemplate = (file: PlanFile): boolean =>
  isPart(file, 'gateway-templates') && file.place !== null && !isKustomization(file.place);

/** True for the policy of a namespace, but not for their kustomization. */
export const isPolicy = (file: PlanFile): boolean =>
  isPart(file, 'boundaries') && file.place !== null && !isKustomization(file.place);

/** True for the objects of a prober, but not for their kustomization. */
export const isProber = (file: PlanFile): boolean =>
  isPart(file, 'conformance') && file.place !== null && !isKustomization(file.place);

/**
 * Files that a difference explains. A claim names its folder whenever possible: fleets have thousands of differences
 * and files, and only those of one folder are compared.
 */
export type FileClaim =
  | { readonly of: 'cluster'; readonly cluster: string; readonly covers: (file: PlanFile) => boolean }
  | { readonly of: 'addresses' }
  | { readonly of: 'entry-points' }
  | { readonly of: 'all-files'; readonly covers: (file: PlanFile) => boolean };

export const inFolder = (cluster: string, covers: (file: PlanFile) => boolean = () => true): FileClaim => ({
  of: 'cluster',
  cluster,
  covers,
});

export const ADDRESSES: FileClaim = { of: 'addresses' };

export const ENTRY_POINTS: FileClaim = { of: 'entry-points' };

/** Files in any folder. */
export const anywhere = (covers: (file: PlanFile) => boolean): FileClaim => ({ of: 'all-files', covers });

/** Files by path: in the folder of a cluster, or anywhere for `null`. */
export function theseFiles(paths: readonly string[], cluster: string | null): FileClaim {
  const all = new Set(paths);
  const covers = ({ path }: PlanFile): boolean => all.has(path);
  return cluster === null ? anywhere(covers) : inFolder(cluster, covers);
}

type Ends = readonly [string, string];

/** The two ends of a tunnel, each in the other's folder, and the given parts of their folders. */
export const tunnelFiles = (ends: Ends, context: PlanContext, parts: readonly BundlePart[]): readonly FileClaim[] => [
  ADDRESSES,
  ...hubFiles(ends, context),
  ...ends.map((end) =>
    inFolder(end, (file) => (isPart(file, 'peer') ? isEnd(ends, peerOf(file)) : isPart(file, ...parts))),
  ),
];

/** The hubs' files about a shortcut between two of their spokes; empty for other links. */
export const hubFiles = ([a, b]: Ends, { shortcuts }: PlanContext): readonly FileClaim[] =>
  shortcuts.has(pairOf(a, b)) ? [anywhere(isAboutShortcuts)] : [];

const isEnd = (ends: Ends, name: string | null): boolean => ends[0] === name || ends[1] === name;

/** The files of two clusters about a loan, with the kustomizations and expected objects. */
export const shareFiles = ({ consumer, provider }: SharePair): readonly FileClaim[] => [
  inFolder(consumer, (file) => isOf(file, 'sharing', provider)),
  inFolder(provider, (file) => isOf(file, 'sharing', consumer)),
];

/**
 * The files of `shareFiles`, and those of the consumer's namespaces that are offloaded to every provider, including
 * this one.
 */
export const shareAndNamespaceFiles = (pair: SharePair): readonly FileClaim[] => [
  ...shareFiles(pair),
  inFolder(pair.consumer, (file) => isPart(file, 'offloading')),
];

/** A cluster's files about an offloaded namespace, and its providers' expected objects for it. */
export const namespaceFiles = (
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string },
  providers: readonly string[],
): readonly FileClaim[] => [
  inFolder(cluster, (file) => isOf(file, 'offloading', namespace)),
  ...providers.map((it) => inFolder(it, (file) => isPart(file, 'expected'))),
];

const isOf = (file: PlanFile, part: 'sharing' | 'offloading', name: string): boolean =>
  isPart(file, 'expected', 'kustomization', 'unordered') ||
  (file.place?.part === part && (file.place.name === name || isKustomization(file.place)));

/** Files that are added or removed with a link, and the files of its ends that list them. */
export function linkFiles({ kind, ends }: LinkState): readonly FileClaim[] {
  const inHubs = kind === 'shortcut' ? [anywhere(isAboutShortcuts)] : [];
  const inEnds = ends.map((end) =>
    inFolder(end, (file) => {
      const peer = peerOf(file);
      return peer === null ? file.place !== null && !isPart(file, 'helm-values') : isEnd(ends, peer);
    }),
  );
  return [ADDRESSES, ...inHubs, ...inEnds];
}
