import { byCodeUnit } from '../../../base/core/order.ts';

/** A shortcut of a fleet with the shortcut operator. */
interface Turnable {
  readonly ends: readonly [string, string];
  /** The end that serves when the operator does not matter. */
  readonly server: string;
  /** True when the server end must not change: the topology chose it, or it serves already. */
  readonly isFixed: boolean;
}

/**
 * The server end of each shortcut, with the operator of the fork: a cluster may be the client of one shortcut only, so
 * every tree of shortcuts points to one root. The root is the cluster for which no fixed end and the fewest others are
 * turned, and of several the name that sorts first. In a ring, and where no root is possible, no end is turned.
 */
export function turnShortcuts<T extends Turnable>(shortcuts: readonly T[]): ReadonlyMap<T, string> {
  const servers = new Map(shortcuts.map((it) => [it, it.server]));
  const edges = new Map<string, T[]>();
  for (const it of shortcuts) {
    for (const end of it.ends) {
      const known = edges.get(end);
      if (known) known.push(it);
      else edges.set(end, [it]);
    }
  }
  const visited = new Set<string>();
  for (const start of [...edges.keys()].sort(byCodeUnit)) {
    if (visited.has(start)) continue;
    const tree = spread(edges, start);
    for (const it of tree.clusters) visited.add(it);
    const root = tree.edges.length === tree.clusters.length - 1 ? rootOf(start, tree.edges) : undefined;
    if (root === undefined) continue;
    for (const { edge, parent } of spread(edges, root).edges) servers.set(edge, parent);
  }
  return servers;
}

interface Directed<T> {
  readonly edge: T;
  /** The end that is nearer to the start of the walk. */
  readonly parent: string;
  readonly child: string;
}

/** All clusters connected with `start`, and each edge once. */
function spread<T extends Turnable>(edges: ReadonlyMap<string, readonly T[]>, start: string) {
  const clusters = [start];
  const known = new Set(clusters);
  const found = new Map<T, Directed<T>>();
  for (const parent of clusters) {
    for (const edge of edges.get(parent) ?? []) {
      if (found.has(edge)) continue;
      const child = edge.ends[0] === parent ? edge.ends[1] : edge.ends[0];
      found.set(edge, { edge, parent, child });
      if (known.has(child)) continue;
      known.add(child);
      clusters.push(child);
    }
  }
  return { clusters, edges: [...found.values()] };
}

/** Changing the root from a parent to its child turns the edge between them, and no other. */
function rootOf<T extends Turnable>(start: string, edges: readonly Directed<T>[]): string | undefined {
  const isTurned = ({ edge }: Directed<T>, server: string): boolean => edge.server !== server;
  const cost = (it: Directed<T>, server: string): number =>
    !isTurned(it, server) ? 0 : it.edge.isFixed ? TOO_MUCH : 1;
  const costs = new Map([[start, edges.reduce((sum, it) => sum + cost(it, it.parent), 0)]]);
  for (const it of edges) {
    costs.set(it.child, (costs.get(it.parent) ?? 0) - cost(it, it.parent) + cost(it, it.child));
  }
  const possible = [...costs].filter(([, sum]) => sum < TOO_MUCH);
  return possible.sort(([a, x], [b, y]) => x - y || byCodeUnit(a, b))[0]?.[0];
}

/** More than the number of shortcuts of any fleet. */
const TOO_MUCH = 1e9;
