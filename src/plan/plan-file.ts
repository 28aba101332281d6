import { type BundlePath, clusterFolderOf, parseBundlePath } from '../core/bundle-path.ts';

/** One file that differs. */
export interface FileChange {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
  readonly before: string | null;
  readonly after: string | null;
}

/** A path below `out/`, be it of a file that weft writes or not. */
export interface PlanFile {
  readonly path: string;
  /** The cluster in whose folder it is; `null` for what belongs to the whole fleet. */
  readonly cluster: string | null;
  /** `null` for a file that weft does not write. */
  readonly place: BundlePath | null;
}

export const planFile = (path: string): PlanFile => ({
  path,
  cluster: clusterFolderOf(path) ?? null,
  place: parseBundlePath(path) ?? null,
});

/** The first part of a path, which people look at first: `rome`, `_argocd`, `addresses.json`. */
export const folderOf = (path: string): string => /^[^/]*/.exec(path)?.[0] ?? '';

export type BundlePart = BundlePath['part'];

export const isPart = ({ place }: PlanFile, ...parts: readonly BundlePart[]): boolean =>
  place !== null && parts.includes(place.part);

/** The peer in whose name a file is: its objects, or rules towards it. */
export const peerOf = ({ place }: PlanFile): string | null => (place !== null && 'peer' in place ? place.peer : null);

/** What Argo CD and Flux start from. */
export const isEntryPoint = (file: PlanFile): boolean => isPart(file, 'argocd', 'flux', 'flux-source', 'flux-cluster');

/**
 * Objects of the fork in a hub: their names and statuses depend on all shortcuts of that hub. The lists on top of a folder
 * are among them, be it the folder of a cluster or one of the entry points.
 */
export const isAboutShortcuts = (file: PlanFile): boolean =>
  isPart(file, 'shortcuts', 'kustomization', 'flux') ||
  isExpected(file, 'foreignclusterconnections') ||
  (file.place?.part === 'argocd' && file.place.file === 'kustomization');

export const isExpected = ({ place }: PlanFile, file: Extract<BundlePath, { part: 'expected' }>['file']): boolean =>
  place?.part === 'expected' && place.file === file;
