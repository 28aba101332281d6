import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { DifferenceKind } from '../../src/plan/difference.ts';
import { isEmptyPlan } from '../../src/plan/plan-changes.ts';
import { readPlanState } from '../../src/plan/read-plan-state.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, arbitraryFleet, CHANGES, REMOVALS } from '../laws/arbitrary-topology.ts';
import { compiled, type Decided } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { once } from '../laws/once.ts';
import { applyChanges, applyFiles, withoutJoins } from './apply-changes.ts';
import { planBetween, stateOf } from './run-edit.ts';

const edits = fc.array(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), { minLength: 1, maxLength: 3 });

/** A fleet, and the same after some edits with the lock of before. */
const edited = fc.tuple(arbitraryFleet({ maxClusters: 7 }), edits);

const afterEdits = once(
  ([fleet, list]: [Parameters<typeof applyEdit>[0], readonly Parameters<typeof applyEdit>[1][]]): readonly [
    Decided,
    Decided,
  ] => {
    const before = compiled(fleet.spec);
    const after = compiled(list.reduce(applyEdit, fleet).spec, before.lock);
    return [before, after];
  },
);

const networkOf = (it: Decided) => {
  const state = readPlanState(stateOf(it));
  if (state === undefined) throw new Error('no state');
  return state.network;
};

/** Kinds that nobody may call harmless. */
const NEVER_HARMLESS: readonly DifferenceKind[] = [
  'view-moved',
  'port-changed',
  'role-changed',
  'link-removed',
  'address-changed',
  'mtu-changed',
];

describe('a plan', () => {
  law(
    'of a fleet to itself is empty',
    100,
    fc.property(arbitraryFleet({ maxClusters: 7 }), ({ spec }) => {
      const it = compiled(spec);
      expect(isEmptyPlan(planBetween(it, it))).toBe(true);
      // Compiled again with its own lock, nothing moves either.
      expect(planBetween(it, compiled(spec, it.lock)).files).toEqual([]);
    }),
  );

  law(
    'applied to what there was gives what is to be',
    200,
    fc.property(edited, (input) => {
      const [before, after] = afterEdits(input);
      const plan = planBetween(before, after);
      expect(applyFiles(before.bundle, plan.files)).toEqual(after.bundle);
      expect(applyChanges(networkOf(before), plan.changes)).toEqual(withoutJoins(networkOf(after).links));
    }),
  );

  law(
    'explains every file that changes, whether or not the topology of before is known',
    200,
    fc.property(edited, fc.boolean(), (input, withTopology) => {
      const [before, after] = afterEdits(input);
      const plan = planBetween(before, after, { withTopology });
      expect(plan.changes.filter((it) => it.kind === 'files-changed')).toEqual([]);
      expect(plan.files.filter((it) => it.explainedBy.length === 0)).toEqual([]);
    }),
  );

  law(
    'calls nothing harmless that moves a view, a port or a role, or takes a link away',
    200,
    fc.property(edited, (input) => {
      const [before, after] = afterEdits(input);
      const plan = planBetween(before, after);
      const wrong = plan.changes.filter((it) => NEVER_HARMLESS.includes(it.kind) && !it.disruptive);
      expect(wrong).toEqual([]);
      const silent = plan.changes.filter((it) => NEVER_HARMLESS.includes(it.kind) && it.flows.length === 0);
      expect(silent).toEqual([]);
      // Held against the model, which the plan did not read.
      const moved = [...after.model.clusters.values()].filter((cluster) =>
        [...cluster.peers.values()].some((peer) => {
          const old = before.model.clusters.get(cluster.name)?.peers.get(peer.name);
          return (
            old !== undefined &&
            JSON.stringify([old.role, old.link.endpoint.port, old.externalView.seenAs]) !==
              JSON.stringify([peer.role, peer.link.endpoint.port, peer.externalView.seenAs])
          );
        }),
      );
      const told = new Set(plan.changes.filter((it) => it.disruptive).flatMap((it) => it.clusters));
      expect(moved.map((it) => it.name).filter((it) => !told.has(it))).toEqual([]);
      expect(new Set(plan.changes.map((it) => it.id)).size).toBe(plan.changes.length);
    }),
  );

  law(
    'tells every edit by hand, and only what it is about',
    100,
    fc.property(arbitraryFleet({ maxClusters: 5 }), fc.nat(), ({ spec }, which) => {
      const after = compiled(spec);
      const paths = [...after.bundle.keys()].filter((it) => it !== 'addresses.json');
      const path = paths[which % Math.max(1, paths.length)];
      if (path === undefined) return;
      const bundle = new Map(after.bundle).set(path, `${after.bundle.get(path) ?? ''}# by hand\n`);
      const plan = planBetween({ ...after, bundle }, after);
      expect(plan.files.map((it) => it.path)).toEqual([path]);
      expect(plan.changes.map((it) => it.kind)).toEqual([
        /\/unordered\/|^_/.test(path)
          ? 'gitops-changed'
          : /\/gateway-templates\/weft/.test(path)
            ? 'template-edited'
            : 'files-changed',
      ]);
      expect(plan.files[0]?.explainedBy).toEqual(plan.changes.map((it) => it.id));
    }),
  );
});
