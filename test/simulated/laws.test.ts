import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Code } from '../../src/diagnostics/codes.ts';
import { arbitraryFleet } from '../laws/arbitrary-topology.ts';
import { compiledWithKeys } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { releaseOf, type TopologySpec } from '../laws/topology-spec.ts';
import { DISTURBANCES, simulateDisturbed } from './disturb.ts';
import type { Disturbance } from './disturbances/disturbance.ts';
import { aboutOf, driftLines, driftOf } from './drift-lines.ts';
import type { ReleaseLine } from './objects.ts';
import { simulateFleet } from './simulate-fleet.ts';

/** Only the network is simulated, with the allocators of the releases that have one. */
const networkOf = ({ sharing: _, offloading: __, ...spec }: TopologySpec): TopologySpec => spec;

const anyFleet = arbitraryFleet({ maxClusters: 6 })
  .filter((it) => it.releases !== 'best-fit')
  .map((it) => networkOf(it.spec));

/** Under which code drift names each disturbance. */
const NAMED_AS: Readonly<Record<string, Code | readonly Code[]>> = {
  addGateway: 'drift/second-gateway',
  addNetwork: 'drift/extra',
  breakConnection: 'drift/not-connected',
  changePort: 'drift/port',
  dropLabel: 'drift/label',
  editRemote: 'drift/remote-cidr',
  removeConfiguration: 'drift/missing',
  removeGateway: 'drift/missing',
  // A cluster without any peer may be one whose rollout has not begun.
  removePeer: ['drift/peer-missing', 'drift/not-there-yet'],
  removePublicKey: 'drift/key',
  removeSecret: 'drift/key-secret',
  renameNamespace: 'drift/namespace',
  rotateKey: 'drift/key',
  setMtu: 'drift/mtu',
  staleLocal: 'drift/stale-local',
};

/** What any change of a spec causes on 1.2 that leaves the views as they are. */
const FOLLOWS: ReadonlySet<Code> = new Set(['drift/stale-generation']);

const releasesOf = (spec: TopologySpec) => (cluster: string) => releaseOf(spec, cluster) as ReleaseLine;

describe('a fleet that was rolled out in waves', () => {
  law(
    'does not drift',
    100,
    fc.property(anyFleet, (spec) => {
      const decided = compiledWithKeys(spec);
      const dumps = simulateFleet(decided.bundle, { release: releasesOf(spec) });
      expect(driftLines(decided, dumps)).toEqual([]);
    }),
  );

  law(
    'drifts by what somebody does to it, and by nothing else',
    150,
    fc.property(anyFleet, fc.nat(), fc.constantFrom(...Object.keys(NAMED_AS)), (spec, gene, name) => {
      const decided = compiledWithKeys(spec);
      const ends = [...decided.model.clusters.values()].flatMap((it) =>
        [...it.peers.values()].map((peer) => [it, peer] as const),
      );
      fc.pre(ends.length > 0);
      const [cluster, peer] = ends[gene % ends.length] as (typeof ends)[number];
      // A gateway with a template of somebody else's does not start, and has nothing to disturb.
      fc.pre(peer.link[peer.role].template === null);
      const target = { cluster: cluster.name, peer: peer.name };
      const how = { release: releasesOf(spec) };
      const disturbance = DISTURBANCES[name] as Disturbance;
      const { dumps, about } = simulateDisturbed(decided.bundle, how, disturbance, target);
      const problems = driftOf(decided, dumps).flatMap(({ drift, problems: list }) =>
        list.filter((it) => !FOLLOWS.has(it.diagnostic.code)).map((it) => ({ cluster: drift.cluster, ...it })),
      );
      expect(problems.map((it) => [it.cluster, it.peer])).toEqual([[cluster.name, peer.name]]);
      expect([NAMED_AS[name]].flat()).toContain(problems[0]?.diagnostic.code);
      const causes = problems.flatMap((it) => it.findings.map(aboutOf));
      expect(about.filter((it) => causes.includes(it)).length).toBeGreaterThan(0);
    }),
  );
});
