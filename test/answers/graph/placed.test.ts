import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldFleet } from '../../../src/answers/graph/fold-fleet.ts';
import { type Point, placeGraph, type Rectangle } from '../../../src/answers/graph/svg/place-graph.ts';
import { printSvg } from '../../../src/answers/graph/svg/print-svg.ts';
import { law } from '../../laws/law.ts';
import { runsOf } from '../../support/drawn.ts';
import { pythonMissing, xmlProblem } from '../../support/xml.ts';
import { arbitraryFacts } from './random-facts.ts';

/** Computed numbers are not exact: what touches does not overlap. */
const SLACK = 0.01;

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x + a.width > b.x + SLACK &&
  b.x + b.width > a.x + SLACK &&
  a.y + a.height > b.y + SLACK &&
  b.y + b.height > a.y + SLACK;

const pairsOf = <T>(all: readonly T[]): readonly (readonly [T, T])[] =>
  all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b] as const));

/** The piece of a line, which is horizontal or vertical, as a rectangle without width. */
const pieceOf = (a: Point, b: Point): Rectangle => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

const graphs = arbitraryFacts().map((facts) => foldFleet(facts, { title: 'fleet', most: 60 }));

law(
  'no two boxes overlap, everything is in the picture, and no line crosses a box that is not at its end',
  60,
  fc.asyncProperty(graphs, async (graph) => {
    const placed = await placeGraph(graph);
    expect(placed.nodes).toHaveLength(graph.nodes.length);
    for (const [a, b] of pairsOf(placed.nodes)) expect(overlap(a, b), `${a.node.id} and ${b.node.id}`).toBe(false);
    for (const [a, b] of pairsOf(placed.groups)) expect(overlap(a, b), `${a.title} and ${b.title}`).toBe(false);
    for (const it of [...placed.nodes, ...placed.groups]) {
      expect(it.x >= 0 && it.y >= 0).toBe(true);
      expect(it.x + it.width <= placed.width + SLACK && it.y + it.height <= placed.height + SLACK).toBe(true);
    }
    for (const { node, ...place } of placed.nodes) {
      const group = placed.groups.find((it) => it.title === node.group);
      for (const it of placed.groups) expect(overlap(it, place), `${it.title} and ${node.id}`).toBe(it === group);
    }
    for (const { edge, points } of placed.edges) {
      const others = placed.nodes.filter((it) => it.node.id !== edge.from && it.node.id !== edge.to);
      const pieces = points.slice(1).map((it, i) => pieceOf(points[i] ?? it, it));
      for (const it of others) for (const piece of pieces) expect(overlap(piece, it)).toBe(false);
    }
  }),
);

law(
  'the cards of a crowd are in it, below its title, and do not overlap',
  100,
  fc.asyncProperty(fc.integer({ min: 4, max: 59 }), fc.nat(3), async (count, pods) => {
    const spokes = Array.from({ length: count }, (_, i) => `spoke${i}`);
    const [crowd] = (
      await placeGraph(
        foldFleet(
          {
            clusters: ['hub', ...spokes].map((name) => ({
              ...{ name, release: null, group: null, mark: null, formerName: null, breaks: false },
              podCIDRs: Array.from({ length: pods }, () => '10.0.0.0/16'),
            })),
            links: spokes.map((client) => ({
              ...{ kind: 'hub', hub: 'hub', server: 'hub', client, remaps: [], mark: null, breaks: false },
            })),
          },
          { title: 'fleet', most: 60 },
        ),
      )
    ).nodes.slice(1);
    expect(crowd?.cards).toHaveLength(count);
    for (const [a, b] of pairsOf(crowd?.cards ?? [])) expect(overlap(a, b)).toBe(false);
    for (const it of crowd?.cards ?? []) {
      expect(it.x + it.width).toBeLessThan(crowd?.width ?? 0);
      expect(it.y).toBeGreaterThan(20);
      expect(it.y + it.height).toBeLessThan(crowd?.height ?? 0);
    }
  }),
);

it.skipIf(pythonMissing)('every picture is XML, and the same again (skipped without python3)', async () => {
  const drawn: string[] = [];
  for (const graph of fc.sample(graphs, { numRuns: runsOf(25, 5), seed: 7 })) {
    const text = await printSvg(graph);
    expect(await printSvg(graph)).toBe(text);
    expect(text).not.toMatch(/<script|href|url\(|NaN|undefined|Infinity/);
    drawn.push(text);
  }
  expect(xmlProblem(drawn)).toBe('');
});
