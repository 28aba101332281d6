import { describe, expect, it } from 'vitest';
import {
  type ClusterFacts,
  type FleetFacts,
  factsNear,
  type LinkFacts,
} from '../../../src/answers/graph/fleet-facts.ts';
import type { FleetGraph } from '../../../src/answers/graph/fleet-graph.ts';
import { foldFleet } from '../../../src/answers/graph/fold-fleet.ts';

const cluster = (name: string, more: Partial<ClusterFacts> = {}): ClusterFacts => ({
  ...{ name, release: '1.2.0', podCIDRs: ['10.0.0.0/16'], group: null, mark: null, formerName: null, breaks: false },
  ...more,
});

const hubLink = (hub: string, client: string, more: Partial<LinkFacts> = {}): LinkFacts => ({
  ...{ kind: 'hub', hub, server: hub, client, remaps: [], mark: null, breaks: false },
  ...more,
});

const shortcut = (server: string, client: string): LinkFacts => ({
  ...hubLink(server, client),
  ...{ kind: 'shortcut', hub: null },
});

const names = (count: number, prefix = 'spoke'): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

const star = (spokes: readonly string[], more: readonly LinkFacts[] = []): FleetFacts => ({
  clusters: [cluster('hub'), ...spokes.map((it) => cluster(it))],
  links: [...spokes.map((it) => hubLink('hub', it)), ...more],
});

const fold = (facts: FleetFacts, most = 60): FleetGraph => foldFleet(facts, { title: 'fleet', most });
const titles = ({ nodes }: FleetGraph): readonly string[] => nodes.map((it) => it.title);

describe('a small fleet', () => {
  it('is drawn cluster by cluster, hubs first', () => {
    const graph = fold(star(['a', 'b']));
    expect(titles(graph)).toEqual(['hub', 'a', 'b']);
    expect(graph.edges.map((it) => `${it.from} -> ${it.to}`)).toEqual(['a -> hub', 'b -> hub']);
    expect(graph.summary).toBe('3 clusters, 2 links, Liqo 1.2.0');
  });

  it('shows releases where they differ', () => {
    const facts = { clusters: [cluster('a'), cluster('b', { release: '1.0.1' })], links: [shortcut('a', 'b')] };
    expect(fold(facts).nodes.map((it) => it.lines.at(-1))).toEqual(['Liqo 1.2.0', 'Liqo 1.0.1']);
  });

  it('says at an edge which end sees the other one remapped, and at which address', () => {
    const pod = { of: 'a', seenIn: 'hub', kind: 'pod', cidr: '10.0.0.0/16', seenAs: '10.9.0.0/16', was: null } as const;
    const remaps = [pod, { ...pod, kind: 'external' } as const, { ...pod, of: 'hub', seenIn: 'a', was: '10.8.0.0/16' }];
    const facts = { clusters: [cluster('a'), cluster('hub')], links: [hubLink('hub', 'a', { remaps })] };
    expect(fold(facts).edges[0]).toMatchObject({
      isRemapped: true,
      lines: ['a is 10.9.0.0/16 in hub', 'hub is 10.9.0.0/16 in a, was 10.8.0.0/16', 'external CIDR remapped in hub'],
    });
  });
});

it('says that a view moves, and not that it is remapped, where it goes back to its own network', () => {
  const back = { of: 'spoke0', seenIn: 'hub', kind: 'pod', cidr: '10.0.0.0/16', seenAs: '10.0.0.0/16' } as const;
  const link = hubLink('hub', 'spoke0', { mark: 'changed', remaps: [{ ...back, was: '10.9.0.0/16' }] });
  const few = fold({ clusters: [cluster('hub'), cluster('spoke0')], links: [link] });
  expect(few.edges[0]).toMatchObject({
    isRemapped: false,
    lines: ['changed hub link', 'spoke0 is 10.0.0.0/16 in hub, was 10.9.0.0/16'],
  });
  expect(few.summary).not.toContain('remapped');
  const many = fold({ clusters: ['hub', ...names(25)].map((it) => cluster(it)), links: [link] });
  expect(many.edges[0]?.lines).toEqual(['changed hub link', 'moved in hub']);
});

describe('spokes that have only their hub', () => {
  it('share an edge, with a card each', () => {
    const graph = fold(star(names(5), [shortcut('spoke0', 'spoke1')]));
    expect(titles(graph)).toEqual(['hub', 'spoke0', 'spoke1', 'spoke2', 'spoke3', 'spoke4']);
    const more = fold(star(names(6), [shortcut('spoke0', 'spoke1')]));
    expect(titles(more)).toEqual(['hub', 'spoke0', 'spoke1', '4 spokes of hub']);
    expect(more.nodes.flatMap((it) => (it.kind === 'crowd' ? it.cards : [])).map((it) => it.title)).toEqual([
      ...['spoke2', 'spoke3', 'spoke4', 'spoke5'],
    ]);
    expect(more.edges).toHaveLength(4);
  });

  it('stay apart where a plan treats them differently', () => {
    const facts = {
      clusters: [cluster('hub'), ...names(8).map((it, i) => cluster(it, { mark: i < 4 ? 'added' : null }))],
      links: names(8).map((it, i) => hubLink('hub', it, { mark: i < 4 ? 'added' : null })),
    };
    expect(titles(fold(facts))).toEqual(['hub', '4 added spokes of hub', '4 spokes of hub']);
    expect(fold(facts).edges.map((it) => it.lines)).toEqual([['added 4 hub links'], []]);
  });
});

describe('a fleet that is too large', () => {
  it('is folded by hub and group, then hubs by group, then all', () => {
    const hubs = names(10, 'hub');
    const spokes = names(100);
    const group = (i: number): string => (i % 2 === 0 ? 'east' : 'west');
    const facts: FleetFacts = {
      clusters: [...hubs, ...spokes].map((it, i) => cluster(it, { group: group(i) })),
      links: [
        ...spokes.map((it, i) => hubLink(`hub${i % 10}`, it)),
        shortcut('spoke0', 'spoke10'),
        ...hubs.slice(1).map((it) => ({ ...shortcut('hub0', it), kind: 'peering' as const })),
      ],
    };
    const byHub = fold(facts);
    expect(byHub.nodes).toHaveLength(20);
    expect(byHub.nodes.find((it) => it.title === '10 spokes of hub0')).toMatchObject({
      group: 'east',
      lines: ['1 shortcut among them'],
    });
    const byGroup = fold(facts, 10);
    expect(titles(byGroup)).toEqual(['5 hubs', '5 hubs', '50 spokes', '50 spokes']);
    expect(titles(fold(facts, 3))).toEqual(['10 hubs', '100 spokes']);
    expect(fold(facts, 3).edges.map((it) => [it.kind, it.lines])).toEqual([['hub', []]]);
    expect(fold(facts, 3).summary).toBe('110 clusters, 110 links, Liqo 1.2.0');
  });
});

it('a mesh with more lines than anybody can follow is folded, too', () => {
  const all = names(14);
  const pairs = all.flatMap((a, i) => all.slice(i + 1).map((b) => shortcut(a, b)));
  const graph = fold({ clusters: all.map((it) => cluster(it)), links: pairs });
  expect(graph.nodes.map((it) => [it.title, it.lines])).toEqual([['14 clusters', ['91 shortcuts among them']]]);
});

describe('a part of a fleet', () => {
  it('is the named clusters with their neighbours, and the links among those', () => {
    const facts = star(names(9), [shortcut('spoke0', 'spoke1')]);
    const near = factsNear(facts, ['spoke0']);
    expect(near.clusters.map((it) => it.name)).toEqual(['hub', 'spoke0', 'spoke1']);
    expect(near.links.map((it) => it.client)).toEqual(['spoke0', 'spoke1', 'spoke1']);
  });
});
