import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Prefix } from '../../../src/base/net/prefix.ts';
import { printPrefix } from '../../../src/base/net/text.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { type AddressedModel, viewsOf } from '../../../src/fleet/ipam/addressed-model.ts';
import { nextDecisions } from '../../../src/fleet/ipam/assign-addresses.ts';
import { adoptLock } from '../../../src/host/app/compile-live.ts';
import { arbitraryFleet, type Fleet } from '../../laws/arbitrary-topology.ts';
import { chance, shuffled } from '../../laws/chance.ts';
import { compiled as compiledFrom } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { topologySource } from '../../laws/topology-spec.ts';
import { type Walk, walked } from './walk.ts';

/** A fleet, and what its clusters see after its links were made in another order. */
function liveFleet(fleet: Fleet, seed: number, options: Omit<Walk, 'links'>) {
  const { model } = compiledFrom(fleet.spec);
  // The networks that weft carves are no decisions of a live cluster.
  const blocks = new Map([...nextDecisions(model)].filter(([key]) => /^[^/]+\/(external|internal)$/.test(key)));
  fc.pre([...model.clusters.values()].every((it) => it.allocator !== 'best-fit'));
  const live = walked(model, { ...options, links: shuffled(model.links, chance(seed)) });
  fc.pre(live !== null);
  return { fleet, live, blocks };
}

function adopted({ fleet, live, blocks }: ReturnType<typeof liveFleet>) {
  const sources = { topology: topologySource(fleet.spec), keys: undefined, lock: undefined };
  const result = adoptLock({ sources, decisions: blocks, live, path: 'fleet.lock.yaml', keepsOrder: false });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  const compiled = compile({ ...sources, lock: result.value.lock }, { relock: [], only: [] });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  return { ...result.value, diagnostics: result.diagnostics, compiled: compiled.value };
}

const viewsIn = ({ clusters }: AddressedModel) =>
  [...clusters.values()].flatMap((it) =>
    [...it.peers.values()].flatMap((peer) =>
      viewsOf(peer).map((view) => ({ viewer: it.name, peer: peer.name, ...view })),
    ),
  );

interface Seen {
  readonly viewer: string;
  readonly peer: string;
  readonly cidr: Prefix;
  readonly seenAs: Prefix;
}

const linesOf = (views: readonly Seen[]): readonly string[] =>
  views.map((it) => `${it.viewer} ${it.peer} ${printPrefix(it.cidr)} ${printPrefix(it.seenAs)}`).sort();

const historyIn = ({ model }: Compiled): number => viewsIn(model).filter((it) => it.history).length;

const fleets = arbitraryFleet({ maxClusters: 8 });

describe('live views that some order of joining gives', () => {
  law(
    'are all explained, where the API servers say when they were given',
    150,
    fc.property(fleets, fc.nat(), (fleet, seed) => {
      const it = adopted(liveFleet(fleet, seed, { freeFirst: true, hints: true }));
      expect([it.forced, historyIn(it.compiled)]).toEqual([0, 0]);
    }),
  );

  law(
    'are all explained, where nothing says when they were given',
    150,
    fc.property(fleets, fc.nat(), (fleet, seed) => {
      const it = adopted(liveFleet(fleet, seed, { freeFirst: true, hints: false }));
      expect([it.forced, historyIn(it.compiled)]).toEqual([0, 0]);
    }),
  );
});

describe('live views, whatever gave them', () => {
  law(
    'are all kept by compile, and those that a rebuild would not give are named',
    150,
    fc.property(fleets, fc.nat(), fc.boolean(), (fleet, seed, hints) => {
      const live = liveFleet(fleet, seed, { freeFirst: false, hints });
      const it = adopted(live);
      expect(linesOf(viewsIn(it.compiled.model))).toEqual(linesOf(live.live.views));
      expect(it.forced).toBe(historyIn(it.compiled));
      const again = adopted({ ...live, live: { ...live.live } });
      expect(again.lock).toEqual(it.lock);
    }),
  );
});
