import { isKustomization } from '../base/core/bundle-path.ts';
import { type LinkState, pairOf } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';
import { type BundlePart, isAboutShortcuts, isPart, type PlanFile, peerOf } from './plan-file.ts';
import type { SharePair } from './sharing-state.ts';

/**
 * Files that a difference explains. A claim names its folder whenever possible: fleets have thousands of differences
 * and files, and only those of one folder are compared.
 */
export type FileClaim =
  | { readonly of: 'cluster'; readonly cluster: string; readonly covers: (file: PlanFile) => boolean }
  | { readonly of: 'addresses' }
  | { readonly of: 'entry-points' }
  | { readonly of: 'all-files'; readonly covers: (file: PlanFile) => boolean };

/** Files in the folder of a cluster. */
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
