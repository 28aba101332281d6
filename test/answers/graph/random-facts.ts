import fc from 'fast-check';
import type { ClusterFacts, FleetFacts, LinkFacts, Mark } from '../../../src/answers/graph/fleet-facts.ts';
import { pairOf } from '../../../src/plan/network-state.ts';

const MARKS: readonly (Mark | null)[] = [null, null, null, 'added', 'changed', 'removed'];
const GROUPS: readonly (string | null)[] = [null, 'east', 'west', 'a region with <a> "long" & strange name'];

/** Any fleet, also one that no topology describes: hubs under hubs, rings, clusters without a link, marks everywhere. */
export const arbitraryFacts = (): fc.Arbitrary<FleetFacts> =>
  fc
    .record({
      clusters: fc.array(fc.record({ group: fc.nat(3), mark: fc.nat(5), pods: fc.nat(3) }), {
        minLength: 1,
        maxLength: 40,
      }),
      links: fc.array(fc.record({ a: fc.nat(), b: fc.nat(), kind: fc.nat(3), mark: fc.nat(5), remaps: fc.nat(2) }), {
        maxLength: 60,
      }),
    })
    .map(({ clusters, links }) => {
      const names = clusters.map((_, i) => `c${i}`);
      const nameOf = (gene: number): string => names[gene % names.length] ?? 'c0';
      const pairs = new Map<string, LinkFacts>();
      for (const { a, b, kind, mark, remaps } of links) {
        const [server, client] = [nameOf(a), nameOf(b)];
        if (server !== client) pairs.set(pairOf(server, client), linkFacts({ server, client, kind, mark, remaps }));
      }
      return {
        clusters: clusters.map(
          ({ group, mark, pods }, i): ClusterFacts => ({
            name: `c${i}`,
            release: i % 7 === 0 ? '1.1.2' : '1.2.0',
            podCIDRs: Array.from({ length: pods }, (_, n) => `10.${n}.0.0/16`),
            group: GROUPS[group] ?? null,
            mark: MARKS[mark] ?? null,
            formerName: null,
            breaks: false,
          }),
        ),
        links: [...pairs.values()],
      };
    });

interface LinkGenes {
  readonly server: string;
  readonly client: string;
  readonly kind: number;
  readonly mark: number;
  readonly remaps: number;
}

function linkFacts({ server, client, kind, mark, remaps }: LinkGenes): LinkFacts {
  const remap = {
    of: client,
    seenIn: server,
    kind: 'pod',
    cidr: '10.0.0.0/16',
    seenAs: '10.9.0.0/16',
    was: null,
  } as const;
  return {
    kind: kind < 2 ? 'hub' : kind === 2 ? 'peering' : 'shortcut',
    hub: kind === 0 ? server : kind === 1 ? client : null,
    server,
    client,
    remaps: Array.from({ length: remaps }, () => remap),
    mark: MARKS[mark] ?? null,
    breaks: mark === 5,
  };
}
