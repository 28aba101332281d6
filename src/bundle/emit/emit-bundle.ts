import { folderFiles } from '../../base/core/folder-files.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { type Bundle, filesByPath } from './bundle.ts';
import { emitCluster } from './emit-cluster.ts';
import { FLEET_FOLDERS } from './fleet-folders.ts';

/**
 * All of `out/`, or the folders of some clusters.
 *
 * @param only clusters whose folders are emitted; `null` for everything, entry points and addresses included.
 * @param versionOf as a bundle has it; without it no version is known.
 */
export function emitBundle(
  model: SharedModel,
  only: readonly string[] | null,
  versionOf?: Bundle['versionOf'],
): Bundle {
  const wanted =
    only === null ? [...model.clusters.values()] : [...model.clusters.values()].filter((it) => only.includes(it.name));
  const clusters = wanted.map((it) => [it.name, () => filesByPath(emitCluster(it, model))] as const);
  // What belongs to no cluster.
  const others = Object.entries(FLEET_FOLDERS).map(([folder, print]) => [folder, () => print(model)] as const);
  return folderFiles(new Map([...clusters, ...(only === null ? others : [])]), versionOf);
}
