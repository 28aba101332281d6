import { join } from 'node:path';
import { clusterFolderOf, printBundlePath } from '../../base/core/bundle-path.ts';
import type { Compiled } from '../../compile.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { readManifestLines } from '../../plan/read-manifest-lines.ts';
import type { FileReader } from './ports.ts';

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
