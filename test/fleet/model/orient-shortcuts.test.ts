import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orientShortcuts, type ShortcutEdge } from '../../../src/fleet/model/choose-servers.ts';

const edge = (a: string, b: string, preferredServer = b, forcedServer: string | null = null): ShortcutEdge => ({
  id: `${a}/${b}`,
  ends: [a, b],
  forcedServer,
  preferredServer,
});

const servers = (...edges: readonly ShortcutEdge[]) => Object.fromEntries(orientShortcuts(edges));

describe('orientShortcuts', () => {
  it('keeps preferences that already lead to one root', () => {
    expect(servers(edge('a', 'b'), edge('c', 'b'))).toEqual({ 'a/b': 'b', 'c/b': 'b' });
    expect(servers(edge('a', 'b', 'a'))).toEqual({ 'a/b': 'a' });
  });

  it('changes as few servers as possible where a cluster would be client twice', () => {
    expect(servers(edge('a', 'b'), edge('a', 'c'), edge('c', 'd'))).toEqual({ 'a/b': 'a', 'a/c': 'c', 'c/d': 'd' });
  });

  it('takes the root that sorts first among equals', () => {
    expect(servers(edge('b', 'a'), edge('b', 'c'))).toEqual({ 'b/a': 'a', 'b/c': 'b' });
  });

  it('keeps forced servers against any number of preferences', () => {
    expect(servers(edge('a', 'b', 'b', 'a'), edge('b', 'c'), edge('c', 'd'))).toEqual({
      'a/b': 'a',
      'b/c': 'b',
      'c/d': 'c',
    });
  });

  it('keeps the preferences of a tree whose forced servers leave no root, and only of that tree', () => {
    const torn = [edge('a', 'b', 'b', 'b'), edge('a', 'c', 'c', 'c')];
    expect(servers(...torn, edge('x', 'y'), edge('x', 'z'))).toEqual({
      'a/b': 'b',
      'a/c': 'c',
      'x/y': 'y',
      'x/z': 'x',
    });
  });

  it('leaves a ring as preferred or forced', () => {
    const ring = [edge('a', 'b', 'a'), edge('b', 'c', 'b', 'c'), edge('a', 'c', 'a')];
    expect(servers(...ring)).toEqual({ 'a/b': 'a', 'b/c': 'c', 'a/c': 'a' });
  });

  it('walks a chain and a star of tens of thousands', () => {
    const chain = Array.from({ length: 30_000 }, (_, i) => edge(`c${i}`, `c${i + 1}`));
    const star = Array.from({ length: 30_000 }, (_, i) => edge('s', `s${i}`));
    const chosen = orientShortcuts([...chain, ...star]);
    expect(chain.filter((it) => chosen.get(it.id) !== it.preferredServer)).toEqual([]);
    expect(star.filter((it) => chosen.get(it.id) !== it.preferredServer)).toHaveLength(29_999);
  });

  it('finds the same as trying every direction of every edge', () => {
    fc.assert(
      fc.property(anyEdges, (edges) => {
        const chosen = orientShortcuts(edges);
        expect([...chosen.keys()]).toEqual(edges.map((it) => it.id));
        for (const it of edges) expect(it.ends).toContain(chosen.get(it.id));
        for (const it of edges) if (it.forcedServer !== null) expect(chosen.get(it.id)).toBe(it.forcedServer);
        for (const component of componentsOf(edges)) {
          const best = bestByTrying(component);
          const given = component.map((it) => chosen.get(it.id) ?? '');
          if (best === undefined) expect(given).toEqual(component.map((it) => it.forcedServer ?? it.preferredServer));
          else expect([forkUsesAll(component, given), overruled(component, given)]).toEqual([true, best]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on the order of edges or of their ends', () => {
    fc.assert(
      fc.property(
        anyEdges.chain((it) => fc.tuple(fc.constant(it), fc.shuffledSubarray(it, { minLength: it.length }))),
        ([edges, shuffled]) => {
          const turned = shuffled.map((it): ShortcutEdge => ({ ...it, ends: [it.ends[1], it.ends[0]] }));
          expect(new Map([...orientShortcuts(turned)].sort())).toEqual(new Map([...orientShortcuts(edges)].sort()));
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Sparse graphs over a few clusters, mostly trees, some edges forced. */
const anyEdges = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }), fc.boolean(), fc.nat({ max: 5 })), {
    maxLength: 7,
    selector: ([a, b]) => [a, b].sort().join(),
  })
  .map((rows) =>
    rows
      .filter(([a, b]) => a !== b)
      .map(([a, b, first, force]) => {
        const ends = [`c${a}`, `c${b}`] as const;
        return edge(ends[0], ends[1], first ? ends[0] : ends[1], force < 2 ? (ends[force] ?? null) : null);
      }),
  );

function componentsOf(edges: readonly ShortcutEdge[]): readonly (readonly ShortcutEdge[])[] {
  const groups: { clusters: Set<string>; edges: ShortcutEdge[] }[] = [];
  for (const it of edges) {
    const touched = groups.filter((group) => it.ends.some((end) => group.clusters.has(end)));
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push({
      clusters: new Set([...touched.flatMap((group) => [...group.clusters]), ...it.ends]),
      edges: [...touched.flatMap((group) => group.edges), it],
    });
  }
  return groups.map((group) => group.edges);
}

/** The fewest overruled preferences over all directions that honour forced servers and that the fork can use fully. */
function bestByTrying(edges: readonly ShortcutEdge[]): number | undefined {
  const possible = directions(edges).filter((it) => forkUsesAll(edges, it));
  return possible.length === 0 ? undefined : Math.min(...possible.map((it) => overruled(edges, it)));
}

const directions = (edges: readonly ShortcutEdge[]): readonly (readonly string[])[] =>
  edges.reduce<readonly (readonly string[])[]>(
    (known, { ends, forcedServer }) =>
      known.flatMap((it) => (forcedServer === null ? ends : [forcedServer]).map((server) => [...it, server])),
    [[]],
  );

const overruled = (edges: readonly ShortcutEdge[], given: readonly string[]): number =>
  edges.filter((it, index) => given[index] !== it.preferredServer).length;

/**
 * True if some order of the shortcuts lets the fork use all of them: repeatedly remove a shortcut that may be first,
 * because its client is in no other; a remainder hides something.
 */
function forkUsesAll(edges: readonly ShortcutEdge[], given: readonly string[]): boolean {
  const left = edges.map((it, index) => {
    const server = given[index] ?? '';
    return { client: it.ends[0] === server ? it.ends[1] : it.ends[0], server };
  });
  for (;;) {
    const at = left.findIndex(
      ({ client }) => left.filter((it) => it.client === client || it.server === client).length === 1,
    );
    if (at === -1) return left.length === 0;
    left.splice(at, 1);
  }
}
