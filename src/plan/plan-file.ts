import { type BundlePath, clusterFolderOf, isKustomization, parseBundlePath } from '../base/core/bundle-path.ts';
import type { ValueChange } from './difference.ts';

/** One file that differs. */
export interface FileChange {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
  /** True for the same documents in another layout: white space, quotes, comments. */
  readonly onlyLayout?: true;
  /** Changed values of a gateway template. */
  readonly values?: readonly ValueChange[];
  /** True when only the views differ that GitOps tools compare. */
  readonly onlyViewAnnotations?: true;
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

export type BundlePart = BundlePath['part'];

export const isPart = ({ place }: PlanFile, ...parts: readonly BundlePart[]): boolean =>
  place !== null && parts.includes(place.part);

/** The peer that a file belongs to: its objects, or the rules towards it. */
export const peerOf = ({ place }: PlanFile): string | null => (place !== null && 'peer' in place ? place.peer : null);

/** The files that Argo CD and Flux start from. */
export const isEntryPoint = (file: PlanFile): boolean => isPart(file, 'argocd', 'flux', 'flux-source', 'flux-cluster');

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
