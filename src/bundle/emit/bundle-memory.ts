import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { emitBundle } from './emit-bundle.ts';
import { FLEET_FOLDERS } from './fleet-folders.ts';
import { sameFolders } from './same-folders.ts';

/** What a bundle was printed from, with a version for each folder. */
interface Last {
  readonly model: SharedModel;
  readonly versions: ReadonlyMap<string, object>;
}

/**
 * `emitBundle` for a process that compiles the same topologies again and again: a folder that has the same files as the last time
 * also has the same version, so that whoever knows them need not ask for them.
 */
export function bundleMemory(): typeof emitBundle {
  const last = new Map<string, Last>();
  return (model, only) => {
    const { path } = model.fleet.at.source;
    const versions = nextVersions(last.get(path), model);
    last.set(path, { model, versions });
    return emitBundle(model, only, (folder) => versions.get(folder));
  };
}

function nextVersions(last: Last | undefined, model: SharedModel): ReadonlyMap<string, object> {
  const isSame = last === undefined ? () => false : sameFolders(last.model, model);
  const folders = [...model.clusters.keys(), ...Object.keys(FLEET_FOLDERS)];
  return new Map(folders.map((it) => [it, (isSame(it) ? last?.versions.get(it) : undefined) ?? {}]));
}
