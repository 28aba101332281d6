import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { anyNetwork, releasesOf } from './any-network.ts';
import { DISTURBANCES, simulateDisturbed } from './disturb.ts';
import type { Disturbance } from './disturbances/disturbance.ts';
import { deleteAndRecreate } from './disturbances/history.ts';
import { aboutOf, driftLines, driftOf } from './drift-lines.ts';
import { simulateFleet } from './simulate-fleet.ts';

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

/** The effects on 1.2 of any change of a spec that does not change the views. */
const FOLLOWS: ReadonlySet<Code> = new Set(['drift/stale-generation']);

describe('a fleet that was rolled out in waves', () => {
  law(
    'does not drift',
    100,
    fc.property(anyNetwork, (spec) => {
      const decided = compiledWithKeys(spec);
      const dumps = simulateFleet(decided.bundle, { release: releasesOf(spec) });
      expect(driftLines(decided, dumps)).toEqual([]);
    }),
  );

  law(
    'drifts by what somebody does to it, and by nothing else',
    150,
    fc.property(anyNetwork, fc.nat(), fc.constantFrom(...Object.keys(NAMED_AS)), (spec, gene, name) => {
      const decided = compiledWithKeys(spec);
      const ends = [...decided.model.clusters.values()].flatMap((it) =>
        [...it.peers.values()].map((peer) => [it, peer] as const),
      );
      fc.pre(ends.length > 0);
      const [cluster, peer] = ends[gene % ends.length] as (typeof ends)[number];
      // A gateway with a foreign template does not start, and has nothing to disturb.
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

  law(
    'drifts by the views that moved when the Configuration of a peer was made again',
    60,
    fc.property(anyNetwork, fc.nat(), (spec, gene) => {
      const decided = compiledWithKeys(spec);
      const ends = [...decided.model.clusters.values()].flatMap((it) =>
        [...it.peers.keys()].map((peer) => ({ cluster: it.name, peer })),
      );
      fc.pre(ends.length > 0);
      const target = ends[gene % ends.length] as (typeof ends)[number];
      const how = { release: releasesOf(spec) };
      const { dumps } = simulateDisturbed(decided.bundle, how, deleteAndRecreate, target);
      const said = driftOf(decided, dumps).flatMap(({ drift, problems }) =>
        problems.map((it) => `${drift.cluster} ${it.peer} ${it.diagnostic.code}`),
      );
      const hasMoved = driftLines(decided, dumps).some((it) => it.includes(' different Network '));
      expect([...new Set(said)]).toEqual(hasMoved ? [`${target.cluster} ${target.peer} drift/other-view`] : []);
    }),
  );
});
