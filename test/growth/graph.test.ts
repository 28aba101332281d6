import { expect, it } from 'vitest';
import type { ClusterFacts, FleetFacts, LinkFacts } from '../../src/answers/graph/fleet-facts.ts';
import { fasterThanInput } from './faster-than-input.ts';

/** A hub for every hundred spokes, each of which has a shortcut to the next one. */
function facts(size: number): FleetFacts {
  const cluster = (name: string): ClusterFacts => ({
    ...{ name, release: '1.2.0', podCIDRs: [name], group: null, mark: null, formerName: null, breaks: false },
  });
  const link = (server: string, client: string, kind: LinkFacts['kind']): LinkFacts => ({
    ...{ kind, hub: kind === 'hub' ? server : null, server, client, mark: null, breaks: false },
    remaps: [{ of: client, seenIn: server, kind: 'pod', cidr: '', seenAs: client, was: null }],
  });
  const spokes = Array.from({ length: size }, (_, i) => `spoke${i}`);
  const hubOf = (i: number): string => `hub${Math.floor(i / 100)}`;
  const hubs = [...new Set(spokes.map((_, i) => hubOf(i)))];
  return {
    clusters: [...hubs, ...spokes].map(cluster),
    links: [
      ...spokes.map((it, i) => link(hubOf(i), it, 'hub')),
      ...spokes.slice(1).map((it, i) => link(spokes[i] ?? it, it, 'shortcut')),
    ],
  };
}

it('draws a fleet in work that grows with its links', async () => {
  const faster = await fasterThanInput(400, async () => {
    const { foldFleet } = await import('../../src/answers/graph/fold-fleet.ts');
    const { printMermaid } = await import('../../src/answers/graph/mermaid/print-mermaid.ts');
    const { printDot } = await import('../../src/answers/graph/dot/print-dot.ts');
    return (size) => {
      const fleet = facts(size);
      return () => {
        const graph = foldFleet(fleet, { title: 'fleet', most: 60 });
        expect(printMermaid(graph).length + printDot(graph).length).toBeLessThan(50_000);
      };
    };
  });
  expect(faster).toEqual([]);
});
