import { clusterFolderOf } from '../../base/core/bundle-path.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';

/**
 * The clusters whose files were removed and that are no longer in the topology, not even under another name. `removed` are
 * paths below `out/`.
 */
export function removedClusters({ clusters }: AddressedModel, removed: readonly string[]): readonly string[] {
  const folders = new Set(removed.flatMap((path) => clusterFolderOf(path) ?? []));
  const formerNames = new Set([...clusters.values()].flatMap((it) => it.renamedFrom?.value ?? []));
  return [...folders].filter((name) => !clusters.has(name) && !formerNames.has(name));
}
