import { isKustomization } from '../base/core/bundle-path.ts';
import { type FileClaim, inFolder } from './file-claim.ts';
import { isPart, type PlanFile } from './plan-file.ts';
import type { SharePair } from './sharing-state.ts';

/** What two clusters hold about a loan, and what lists and expects it. */
export const shareFiles = ({ consumer, provider }: SharePair): readonly FileClaim[] => [
  inFolder(consumer, (file) => isOf(file, 'sharing', provider)),
  inFolder(provider, (file) => isOf(file, 'sharing', consumer)),
];

/** The same with the namespaces of the consumer: those that are offloaded to every provider name this one. */
export const shareAndNamespaceFiles = (pair: SharePair): readonly FileClaim[] => [
  ...shareFiles(pair),
  inFolder(pair.consumer, (file) => isPart(file, 'offloading')),
];

/** What a cluster holds about an offloaded namespace, and what its providers expect of it. */
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
