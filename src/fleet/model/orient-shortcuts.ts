import { byCodeUnit, groupBy } from '../../base/core/collections.ts';

/** A shortcut whose server end is not chosen yet, or is fixed. */
export interface ShortcutEdge {
  /** Identity of the link. */
  readonly id: string;
  /** Cluster names. */
  readonly ends: readonly [string, string];
  /** The end that must be the server; `null` when both can be. */
  readonly forcedServer: string | null;
  /** The end that is the server unless the orientation overrules it. */
  readonly preferredServer: string;
}

/**
 * Chooses the server end of every shortcut, as a map from link identity to cluster. The fork of Liqo uses all shortcuts
 * of a hub only when each cluster is the client of at most one of them: then the shortcuts are trees, and all point to
 * a root (liqo.md 6.4). In each tree the root is the one that keeps every forced server and overrules the fewest
 * preferences; among equals, the name that sorts first. When shortcuts form a circle, or forced servers leave no root,
 * the preferred ends are the servers.
 */
export function orientShortcuts(edges: readonly ShortcutEdge[]): ReadonlyMap<string, string> {
  const servers = new Map(edges.map((it) => [it.id, it.forcedServer ?? it.preferredServer]));
  const graph = groupBy(edges, (it) => it.ends);
  const seen = new Set<string>();
  for (const start of [...graph.keys()].sort(byCodeUnit)) {
    if (seen.has(start)) continue;
    const tree = walkTree(graph, start, seen);
    const root = tree === undefined ? undefined : bestRoot(start, tree);
    if (root === undefined) continue;
    for (const { edge, from } of walkTree(graph, root, new Set()) ?? []) servers.set(edge.id, from);
  }
  return servers;
}

type Graph = ReadonlyMap<string, readonly ShortcutEdge[]>;

/** An edge in the direction of a walk: `from` is nearer to the start than `to`. */
interface WalkedEdge {
  readonly edge: ShortcutEdge;
  readonly from: string;
  readonly to: string;
}

/**
 * Every edge of the component around `start`, nearer ones first; `undefined` for a component that is not a tree. All
 * its clusters are added to `seen` in both cases.
 */
function walkTree(graph: Graph, start: string, seen: Set<string>): readonly WalkedEdge[] | undefined {
  const walked: WalkedEdge[] = [];
  const used = new Set<ShortcutEdge>();
  const queue = [start];
  let isTree = true;
  seen.add(start);
  for (const from of queue) {
    for (const edge of graph.get(from) ?? []) {
      if (used.has(edge)) continue;
      used.add(edge);
      const to = otherEnd(edge, from);
      if (seen.has(to)) {
        isTree = false;
        continue;
      }
      seen.add(to);
      queue.push(to);
      walked.push({ edge, from, to });
    }
  }
  return isTree ? walked : undefined;
}

/** The cost of a root: the forced servers that it breaks, and the preferences that it overrules. */
interface Cost {
  readonly broken: number;
  readonly overruled: number;
}

function bestRoot(start: string, tree: readonly WalkedEdge[]): string | undefined {
  const roots = [...costs(start, tree)].filter(([, cost]) => cost.broken === 0);
  roots.sort(([a, x], [b, y]) => x.overruled - y.overruled || byCodeUnit(a, b));
  return roots[0]?.[0];
}

/**
 * The cost of every cluster as root. The costs of two neighbours differ only by the direction of the edge between them.
 */
function costs(start: string, tree: readonly WalkedEdge[]): ReadonlyMap<string, Cost> {
  const first = tree.map(({ edge, from }) => costOf(edge, from)).reduce(plus, { broken: 0, overruled: 0 });
  const known = new Map([[start, first]]);
  for (const { edge, from, to } of tree) {
    const before = plus(known.get(from) ?? first, costOf(edge, to));
    const turned = costOf(edge, from);
    known.set(to, { broken: before.broken - turned.broken, overruled: before.overruled - turned.overruled });
  }
  return known;
}

const costOf = (edge: ShortcutEdge, server: string): Cost => ({
  broken: edge.forcedServer !== null && edge.forcedServer !== server ? 1 : 0,
  overruled: edge.preferredServer === server ? 0 : 1,
});

const plus = (a: Cost, b: Cost): Cost => ({ broken: a.broken + b.broken, overruled: a.overruled + b.overruled });

const otherEnd = ({ ends: [a, b] }: ShortcutEdge, end: string): string => (a === end ? b : a);
