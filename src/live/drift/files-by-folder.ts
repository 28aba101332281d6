import { groupBy } from '../../base/core/group-by.ts';
import { byCodeUnit } from '../../base/core/order.ts';

type Files = ReadonlyMap<string, string>;
type ByFolder = ReadonlyMap<string, readonly string[]>;

/** Of bundles that are still in use. */
const known = new WeakMap<Files, ByFolder>();

/** The paths of a bundle by their first folder, sorted. A fleet asks once for each cluster, and the paths are grouped once. */
export function filesByFolder(bundle: Files): ByFolder {
  const found = known.get(bundle) ?? groupBy([...bundle.keys()].sort(byCodeUnit), (it) => [it.split('/', 1)[0] ?? '']);
  known.set(bundle, found);
  return found;
}
