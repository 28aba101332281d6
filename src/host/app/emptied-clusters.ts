import { join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import type { Compiled } from '../../compile.ts';
import type { FileReader } from './ports.ts';

/** Where bundles go. */
export interface Destination {
  /** The folder of the bundles. */
  readonly out: string;
  /** Clusters whose folders are written; `null` for everything. */
  readonly only: readonly string[] | null;
}

/**
 * Clusters whose full bundle would be replaced by an empty one although they are not retired. Argo CD and Flux would then
 * delete every tunnel of the cluster, so the user must allow it.
 */
export async function emptiedClusters(
  files: FileReader,
  { model, bundle }: Compiled,
  to: Destination,
): Promise<readonly string[]> {
  const emptied: string[] = [];
  for (const cluster of model.clusters.values()) {
    if (cluster.retired || (to.only !== null && !to.only.includes(cluster.name))) continue;
    // With a peer it has something to list, and no text is printed to find that out.
    if (cluster.peers.size > 0) continue;
    const path = printBundlePath({ part: 'kustomization', cluster: cluster.name });
    if (!isEmpty(bundle.get(path) ?? '')) continue;
    const before = await files.readText(join(to.out, path));
    if (before.kind === 'ok' && !isEmpty(before.text)) emptied.push(cluster.name);
  }
  return emptied;
}

const isEmpty = (kustomization: string): boolean => /^resources: \[\]\s*$/m.test(kustomization);
