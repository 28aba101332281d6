import { findPaths, type Paths } from './find-paths.ts';
import { carriesPackets } from './keyless-ends.ts';
import type { Link } from './network-model.ts';

const known = new WeakMap<readonly Link[], Paths>();

/** The paths over the links of a model; found once for each list of links. */
export function pathsOf(links: readonly Link[]): Paths {
  const old = known.get(links);
  if (old) return old;
  const working = links.filter(carriesPackets).map((it) => [it.server.cluster.name, it.client.cluster.name] as const);
  const paths = findPaths(working);
  known.set(links, paths);
  return paths;
}
