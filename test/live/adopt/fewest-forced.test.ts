import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { nextDecisions } from '../../../src/fleet/ipam/assign-addresses.ts';
import { adoptLock } from '../../../src/host/app/compile-live.ts';
import { explainedBy, explainingOrder } from '../../../src/live/adopt/explaining-order.ts';
import { viewersOf } from '../../../src/live/adopt/viewer.ts';
import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { chance, shuffled } from '../../laws/chance.ts';
import { compiled as compiledFrom } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { topologySource } from '../../laws/topology-spec.ts';
import { walked } from './walk.ts';

function* ordersOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  if (items.length < 2) yield items;
  else
    for (const first of items) for (const rest of ordersOf(items.filter((it) => it !== first))) yield [first, ...rest];
}

describe('the order of joining that is found', () => {
  law(
    'leaves as few views unexplained as any order of a small fleet, also where clusters contradict each other',
    80,
    fc.property(arbitraryFleet({ maxClusters: 5 }), fc.nat(), (fleet, seed) => {
      const { model } = compiledFrom(fleet.spec);
      fc.pre(model.links.length > 2 && model.links.length < 6);
      fc.pre([...model.clusters.values()].every((it) => it.allocator !== 'best-fit'));
      // Every cluster has seen its links come in an order of its own.
      const views = [...model.clusters.keys()].flatMap((name, index) => {
        const links = shuffled(model.links, chance(seed + index));
        const live = walked(model, { links, freeFirst: index % 2 === 0, hints: false });
        fc.pre(live !== null);
        return live.views.filter((it) => it.viewer === name);
      });
      const sources = { topology: topologySource(fleet.spec), keys: undefined, lock: undefined };
      const decisions = new Map([...nextDecisions(model)].filter(([key]) => /^[^/]+\/(external|internal)$/.test(key)));
      const live = { views, waiting: [], ports: [] };
      const adopted = adoptLock({ sources, decisions, live, path: 'fleet.lock.yaml', keepsOrder: false });
      const lock = adopted.ok ? adopted.value.lock : undefined;
      const again = compile({ ...sources, lock }, { relock: [], only: [] });
      if (!again.ok) throw new Error('the adopted lock does not compile');
      const { links } = again.value.model;
      const viewers = viewersOf(again.value.model);
      const found = explainingOrder(viewers, [links]).missed.length;
      for (const order of ordersOf(links))
        expect(explainedBy(viewers, order).missed.length).toBeGreaterThanOrEqual(found);
    }),
  );
});
