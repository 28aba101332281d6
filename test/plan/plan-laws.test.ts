import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { inFolders } from '../../src/base/core/folder-files.ts';
import { compile } from '../../src/compile.ts';
import { carriesPackets } from '../../src/fleet/model/network-model.ts';
import { blastRadius } from '../../src/plan/blast-radius.ts';
import type { Change } from '../../src/plan/change.ts';
import type { DifferenceKind } from '../../src/plan/difference.ts';
import type { FlowEffect } from '../../src/plan/flows.ts';
import { pairOf } from '../../src/plan/network-state.ts';
import { isEmptyPlan } from '../../src/plan/plan-changes.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, arbitraryFleet, CHANGES, REMOVALS } from '../laws/arbitrary-topology.ts';
import { compiled, type Decided, decidedBy } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { once } from '../laws/once.ts';
import { lockSource, type TopologySpec, topologySource } from '../laws/topology-spec.ts';
import { keysOf } from '../support/keys-of.ts';
import { networkOf as networkIn } from '../support/network-of.ts';
import { applyChanges, applyFiles, withoutJoins } from './apply-changes.ts';
import { planBetween } from './run-edit.ts';
import { unnamedLines } from './unnamed-lines.ts';

const edits = fc.array(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), { minLength: 1, maxLength: 3 });

/** A fleet, and the same after some edits with the lock of before. */
const edited = fc.tuple(arbitraryFleet({ maxClusters: 7 }), edits);

const afterEdits = once(
  ([fleet, list]: [Parameters<typeof applyEdit>[0], readonly Parameters<typeof applyEdit>[1][]]): readonly [
    Decided,
    Decided,
  ] => {
    const before = withKeys(fleet.spec);
    const after = withKeys(list.reduce(applyEdit, fleet).spec, before.lock);
    return [before, after];
  },
);

/** Most gateways have a key; which ones have none depends on their names alone. */
function withKeys(spec: TopologySpec, lock?: string): Decided {
  const topology = topologySource(spec);
  const keys = keysOf(topology);
  const some = keys && { ...keys, text: keys.text.replace(/^ {4}\S+: \S*[0-3]=$\n/gm, '') };
  const sources = { topology, keys: some, lock: lock === undefined ? undefined : lockSource(lock) };
  return decidedBy(compile(sources, { relock: [], only: null, allowReplacements: true }));
}

/** The pairs that can talk, from the model: with a link whose ends both have a key, or with such links to a third cluster. */
function pairsThatTalk({ model }: Decided): ReadonlySet<string> {
  const working = model.links.filter(carriesPackets);
  const ends = working.map(({ server, client }) => [server.cluster.name, client.cluster.name] as const);
  const linked = new Set(ends.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const names = [...model.clusters.keys()];
  const talk = (a: string, b: string): boolean =>
    linked.has(`${a} ${b}`) || names.some((it) => linked.has(`${a} ${it}`) && linked.has(`${it} ${b}`));
  return new Set(names.flatMap((a) => names.filter((b) => a < b && talk(a, b)).map((b) => `${a} ${b}`)));
}

const networkOf = (it: Decided) => {
  const network = networkIn(it.bundle, it.lock);
  if (network === undefined) throw new Error('no network');
  return network;
};

/** Kinds that are never harmless. */
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
      expect(applyFiles(before.bundle, plan.files, after.bundle)).toEqual(new Map(after.bundle));
      expect(applyChanges(networkOf(before), plan.changes)).toEqual(withoutJoins(networkOf(after).links));
    }),
  );

  law(
    'interrupts only pairs that could talk before, and names every pair that stops or begins to talk',
    200,
    fc.property(edited, (input) => {
      const [before, after] = afterEdits(input);
      const [could, can] = [pairsThatTalk(before), pairsThatTalk(after)];
      const plan = planBetween(before, after);
      // A renamed cluster could talk under its old name.
      fc.pre(plan.changes.every((it) => it.kind !== 'cluster-renamed'));
      const pairs = (effect: FlowEffect): readonly string[] =>
        blastRadius(plan).flatMap(({ cluster, traffic }) =>
          traffic[effect].filter((it) => cluster < it).map((it) => `${cluster} ${it}`),
        );
      for (const effect of ['interrupted', 'readdressed', 'rerouted'] as const) {
        expect(pairs(effect).filter((it) => !could.has(it) || !can.has(it))).toEqual([]);
      }
      expect(new Set(pairs('stops'))).toEqual(new Set([...could].filter((it) => !can.has(it))));
      expect(new Set(pairs('opens'))).toEqual(new Set([...can].filter((it) => !could.has(it))));
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
      const isSilent = ({ kind, flows }: Change): boolean => NEVER_HARMLESS.includes(kind) && flows.length === 0;
      // A tunnel without keys carries nothing that could break.
      const direct = new Set(
        before.model.links
          .filter(carriesPackets)
          .map(({ server, client }) => pairOf(server.cluster.name, client.cluster.name)),
      );
      expect(plan.changes.filter((it) => isSilent(it) && direct.has(it.clusters.join('/')))).toEqual([]);
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
    'names the new value of every line of an applied object, or what the line follows from',
    200,
    fc.property(edited, (input) => {
      const [before, after] = afterEdits(input);
      expect(unnamedLines(before, after, planBetween(before, after))).toEqual([]);
    }),
  );

  /** The plan of a fleet with a line appended to one file, and the path of that file. */
  const appended = (spec: TopologySpec, which: number, line: string) => {
    const after = compiled(spec);
    const paths = [...after.bundle.keys()].filter((it) => it !== 'addresses.json');
    const path = paths[which % Math.max(1, paths.length)];
    if (path === undefined) return undefined;
    const bundle = new Map(after.bundle).set(path, `${after.bundle.get(path) ?? ''}${line}\n`);
    return { path, plan: planBetween({ ...after, bundle: inFolders(bundle) }, after) };
  };

  law(
    'tells every edit by hand, and only what it is about',
    100,
    fc.property(arbitraryFleet({ maxClusters: 5 }), fc.nat(), ({ spec }, which) => {
      const edited = appended(spec, which, 'byHand: true');
      if (edited === undefined) return;
      const { path, plan } = edited;
      expect(plan.files.map((it) => it.path)).toEqual([path]);
      expect(plan.changes.map((it) => it.kind)).toEqual([
        /\/unordered\/|^_/.test(path)
          ? 'gitops-changed'
          : /\/gateway-templates\/weft/.test(path)
            ? 'template-edited'
            : path.endsWith('/helm-values.yaml')
              ? 'setting-changed'
              : path.endsWith('/conformance/prober.yaml')
                ? 'probers-changed'
                : 'files-changed',
      ]);
      expect(plan.files[0]?.explainedBy).toEqual(plan.changes.map((it) => it.id));
    }),
  );

  law(
    'calls an edit that changes no object a layout, and harmless',
    100,
    fc.property(arbitraryFleet({ maxClusters: 5 }), fc.nat(), ({ spec }, which) => {
      const edited = appended(spec, which, '# by hand');
      if (edited === undefined || !edited.path.endsWith('.yaml')) return;
      expect(edited.plan.changes).toMatchObject([{ kind: 'layout-changed', disruptive: false, steps: [] }]);
      expect(edited.plan.files[0]?.explainedBy).toEqual(edited.plan.changes.map((it) => it.id));
    }),
  );
});
