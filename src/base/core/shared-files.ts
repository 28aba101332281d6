import {
  ARGO_FILES,
  type BundlePath,
  EXPECTED_FILES,
  isKustomization,
  OBJECT_FOLDERS,
  parseBundlePath,
  printBundlePath,
} from './bundle-path.ts';
import { parseHeader } from './header.ts';

/**
 * Whether a file below `out/` has rows of several links or clusters. The record has no hash of it: two branches that change
 * different rows would both change the hash, so every pull request would conflict with every other one.
 */
export function isShared(path: string): boolean {
  const place = parseBundlePath(path);
  return place !== undefined && isSharedPlace(place);
}

const isSharedPlace = (place: BundlePath): boolean => {
  switch (place.part) {
    case 'peer':
    case 'helm-values':
    case 'gateway-rules':
    case 'node-rules':
      return false;
    case 'gateway-templates':
    case 'monitoring':
    case 'offloading':
    case 'sharing':
    case 'shortcuts':
      return isKustomization(place);
    default:
      return true;
  }
};

/** Every shared file that weft may have written for a cluster. */
export const sharedFilesOf = (cluster: string): readonly string[] => [
  ...sharedFilesIn(cluster),
  ...fleetFilesOf(cluster),
];

/** Those in the folder of the cluster. */
export const sharedFilesIn = (cluster: string): readonly string[] => SHARED_BELOW.map((it) => `${cluster}${it}`);

/** Behind the name of a cluster. */
const SHARED_BELOW = [
  { part: 'kustomization', cluster: '' } as const,
  { part: 'unordered', cluster: '' } as const,
  ...OBJECT_FOLDERS.map((part) => ({ part, cluster: '', name: 'kustomization' }) as const),
  ...EXPECTED_FILES.map((file) => ({ part: 'expected', cluster: '', file }) as const),
].map(printBundlePath);

/** Those about the cluster among the files of the whole fleet. */
export const fleetFilesOf = (cluster: string): readonly string[] =>
  [
    { part: 'flux-cluster', cluster, file: 'manifests' } as const,
    { part: 'flux-cluster', cluster, file: 'kustomization' } as const,
  ].map(printBundlePath);

/** Every file that weft may have written for the whole fleet. */
export const FLEET_FILES: readonly string[] = [
  { part: 'addresses' } as const,
  ...ARGO_FILES.map((file) => ({ part: 'argocd', file }) as const),
  { part: 'flux' } as const,
  { part: 'flux-source', file: 'gitrepository' } as const,
  { part: 'flux-source', file: 'kustomization' } as const,
].map(printBundlePath);

/** Whether a text begins as weft begins a shared file. An empty file counts, since there is nothing in it to lose. */
export const isGenerated = (text: string): boolean =>
  text === '' || parseHeader(text) !== undefined || /^\{\s*"version": \d+,/.test(text);
