import { clusterFolderOf, parseBundlePath, printBundlePath } from '../../base/core/bundle-path.ts';
import { byCodeUnit } from '../../base/core/collections.ts';

/** A file that differs between two sides. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
  /** True for the same documents in another layout. */
  readonly onlyLayout?: true;
}

/** Clusters with another name on the new side. */
export interface Renames {
  /** The new name by the old one. */
  readonly newNames: ReadonlyMap<string, string>;
  readonly oldNames: ReadonlyMap<string, string>;
}

export interface PairedFile extends ChangedFile {
  readonly formerPath: string | null;
}

export function renamesOf(renames: readonly { readonly from: string; readonly to: string }[]): Renames {
  return {
    newNames: new Map(renames.map(({ from, to }) => [from, to])),
    oldNames: new Map(renames.map(({ from, to }) => [to, from])),
  };
}

/**
 * The changed files by cluster, under its new name, in order; files of the whole fleet have the key `''` and come last.
 * A file that was removed under an old name and added under the new one is one file.
 */
export function pairFiles(
  changes: readonly ChangedFile[],
  renames: Renames,
): ReadonlyMap<string, readonly PairedFile[]> {
  const removed = new Map(
    changes.filter((it) => it.change === 'remove').map((it) => [renamedPath(it.path, renames), it.path]),
  );
  const paired = new Set<string>();
  const files: PairedFile[] = [];
  for (const it of changes) {
    const formerPath = it.change === 'add' ? removed.get(it.path) : undefined;
    if (formerPath !== undefined && formerPath !== it.path) paired.add(formerPath);
    files.push(
      formerPath === undefined ? { ...it, formerPath: null } : { path: it.path, change: 'change', formerPath },
    );
  }
  const byCluster = new Map<string, PairedFile[]>();
  for (const it of files.filter(({ path }) => !paired.has(path))) {
    const folder = clusterFolderOf(it.path) ?? '';
    const cluster = it.change === 'remove' ? (renames.newNames.get(folder) ?? folder) : folder;
    const list = byCluster.get(cluster);
    if (list === undefined) byCluster.set(cluster, [it]);
    else list.push(it);
  }
  const clusters = [...byCluster.keys()].filter((it) => it !== '').sort(byCodeUnit);
  return new Map([...clusters, ''].flatMap((it) => (byCluster.has(it) ? [[it, byCluster.get(it) ?? []]] : [])));
}

/** The path of a file after clusters were renamed, as far as it contains their names. */
function renamedPath(path: string, { newNames }: Renames): string {
  const name = (it: string): string => newNames.get(it) ?? it;
  const place = parseBundlePath(path);
  if (newNames.size === 0 || place === undefined) return path;
  return printBundlePath({
    ...place,
    ...('cluster' in place ? { cluster: name(place.cluster) } : {}),
    ...('peer' in place ? { peer: name(place.peer) } : {}),
    ...('name' in place ? { name: name(place.name) } : {}),
  });
}

/** The name of an object after clusters were renamed: their names are separate words in it. */
export function renamedObject(object: string, { newNames }: Renames): string {
  let name = object;
  for (const [from, to] of newNames) name = name.replace(new RegExp(`(?<![a-z0-9])${from}(?![a-z0-9])`, 'g'), () => to);
  return name;
}
