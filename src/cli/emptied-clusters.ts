import { join, resolve } from 'node:path';
import type { Compiled } from '../compile.ts';
import { readTextFile } from '../disk/read-text-file.ts';
import type { Destination } from './compile-topology.ts';

/**
 * Clusters whose full bundle would be replaced by an empty one although nobody retired them. Argo CD and Flux would then
 * delete every tunnel of the cluster, so somebody has to say that this is meant.
 */
export async function emptiedClusters({ model, bundle }: Compiled, to: Destination): Promise<readonly string[]> {
  const emptied: string[] = [];
  for (const cluster of model.clusters.values()) {
    if (cluster.retired || (to.only !== null && !to.only.includes(cluster.name))) continue;
    const path = `${cluster.name}/kustomization.yaml`;
    if (!isEmpty(bundle.get(path) ?? '')) continue;
    const before = await readTextFile(resolve(to.cwd, join(to.out, path)));
    if (before.kind === 'ok' && !isEmpty(before.text)) emptied.push(cluster.name);
  }
  return emptied;
}

const isEmpty = (kustomization: string): boolean => /^resources: \[\]\s*$/m.test(kustomization);
