import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { compile } from '../../../src/compile.ts';
import type { BoundedModel } from '../../../src/fleet/boundaries/bounded-model.ts';
import { clusterNamed } from '../../../src/fleet/ipam/addressed-model.ts';
import type { Assertion } from '../../../src/fleet/model/network-model.ts';
import type { ServiceAssertion } from '../../../src/fleet/topology/declaration.ts';
import { endpointPaths, isDelivered } from '../../../src/reach/services/endpoint-paths.ts';
import { serviceClusters } from '../../../src/reach/services/find-namespace.ts';
import { printTraced } from '../../../src/reach/trace/address.ts';
import { decideAssertions } from '../../../src/reach/trace/decide-assertions.ts';
import { pairFatesOf } from '../../../src/reach/trace/pair-fates.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import {
  allParts,
  endNames,
  failedClusters,
  findPart,
  type Part,
  partsOf,
  printPart,
  without,
} from '../../../src/reach/whatif/parts.ts';
import { singleFailures } from '../../../src/reach/whatif/single-failures.ts';
import { dialledOn, whatIf } from '../../../src/reach/whatif/what-if.ts';
import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { compiledWithKeys, WHOLE } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { hubsOf, lockSource, type TopologySpec, topologySource } from '../../laws/topology-spec.ts';
import { keysOf, someKeys } from '../../support/keys-of.ts';

const NAMES = 7;

const NOTHING = { assertions: [], serviceAssertions: [] };

const fleets = fc.tuple(arbitraryFleet({ minClusters: 3, maxClusters: NAMES }), fc.nat());

/** One or two parts of a fleet; no part in a fleet without links. */
function somePartsOf(model: BoundedModel, seed: number): readonly Part[] {
  const all = allParts(partsOf(model));
  const one = all[seed % Math.max(1, all.length)];
  const other = all[(seed >> 8) % Math.max(1, all.length)];
  return seed % 3 === 0 ? [one, other].flatMap((it) => it ?? []) : one === undefined ? [] : [one];
}

/** The address that each pair dials and the cluster that it passes, for pairs that arrive; without pairs of clusters that failed. */
function reached(model: BoundedModel, failed: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const names = [...model.clusters.keys()].filter((it) => !failed.has(it));
  for (const from of names) {
    for (const to of names) {
      if (from === to) continue;
      const { fate, route, sent } = trace(model, {
        from: { cluster: from, address: null },
        to: { kind: 'cluster', cluster: to, address: null },
      });
      if (fate.kind !== 'delivered' || sent === null) continue;
      const way = route.kind === 'through' ? `through ${route.hub}` : 'direct';
      found.set(`${from} ${to}`, `${way} at ${printTraced(sent.destination)}`);
    }
  }
  return found;
}

/** The pairs and ways of a what-if, in the form of `reached`. */
function consequences(model: BoundedModel, parts: readonly Part[]) {
  const { cut, around } = whatIf(model, parts, NOTHING);
  return {
    cut: cut.map(({ from, to }) => `${from.name} ${to.name}`),
    around: around.map(({ from, to, after }) => {
      const address = dialledOn(from, to, after);
      const way = after.kind === 'through' ? `through ${after.hub}` : 'direct';
      return [`${from.name} ${to.name}`, `${way} at ${address && printTraced(address)}`];
    }),
  };
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  return {
    cut: [...before.keys()].filter((it) => !after.has(it)),
    around: [...after].filter(([pair, way]) => before.has(pair) && before.get(pair) !== way),
  };
}

describe('a what-if', () => {
  law(
    'equals walking without the parts',
    200,
    fc.property(fleets, ([{ spec }, seed]) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      const parts = somePartsOf(model, seed);
      const failed = failedClusters(parts);
      const expected = differences(reached(model, failed), reached(without(model, parts), failed));
      expect(consequences(model, parts)).toEqual(expected);
    }),
  );

  law(
    'equals compiling without the part, with the lock',
    200,
    fc.property(fleets, ([{ spec }, seed]) => {
      const keys = keysOf(topologySource(spec));
      const { model, lock } = compiledWithKeys(spec);
      const all = allParts(partsOf(model));
      const part = all[seed % Math.max(1, all.length)];
      fc.pre(part !== undefined);
      const sources = { topology: topologySource(edited(spec, part)), keys, lock: lockSource(lock) };
      const after = compile(sources, { ...WHOLE, withoutAssertions: true });
      // Some fleets need the link for other reasons, and are refused without it.
      fc.pre(after.ok);
      const failed = failedClusters([part]);
      const expected = differences(reached(model, failed), reached(after.value.model, failed));
      expect(consequences(model, [part])).toEqual(expected);
    }),
  );

  law(
    'of each single part is the one of all parts at once',
    100,
    fc.property(fleets, ([{ spec }, seed]) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      const requirements = requirementsOf(model);
      const { failures, pairs } = singleFailures(model, requirements);
      expect(pairs).toBe(reached(model, new Set()).size);
      expect(failures.map((it) => printPart(it.part)).sort()).toEqual(allParts(partsOf(model)).map(printPart).sort());
      for (const it of failures) {
        const { cut, around, isolated, broken, endpoints } = whatIf(model, [it.part], requirements);
        expect({ ...it, broken: it.broken.map(indexIn(requirements)) }).toEqual({
          part: it.part,
          cut: cut.length,
          around: around.length,
          isolated,
          broken: broken.map((one) => indexIn(requirements)(one.assertion)).sort((a, b) => a - b),
          endpoints: endpoints.length,
          namespaces: model.offloadings.filter((one) => endpoints.some((lost) => lost.namespace === one)),
        });
      }
    }),
  );

  law(
    'breaks the assertions that do not hold without the parts',
    100,
    fc.property(fleets, ([{ spec }, seed]) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      const parts = somePartsOf(model, seed).filter((it) => it.kind !== 'cluster');
      const holds = (it: BoundedModel, one: Assertion): boolean => decideAssertions(it, [one]).ok;
      const assertions = requirementsOf(model).assertions.filter((it) => holds(model, it));
      const { broken } = whatIf(model, parts, { assertions, serviceAssertions: [] });
      const after = without(model, parts);
      expect(broken.map((it) => assertions.indexOf(it.assertion as Assertion)).sort((a, b) => a - b)).toEqual(
        assertions.flatMap((it, i) => (holds(after, it) ? [] : [i])),
      );
    }),
  );

  law(
    'loses the endpoints that are not reached without the parts',
    200,
    fc.property(fleets, ([{ spec }, seed]) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      fc.pre(model.offloadings.length > 0);
      const parts = somePartsOf(model, seed);
      const failed = failedClusters(parts);
      const before = endpointsOf(model);
      const after = new Set(endpointsOf(without(model, parts)));
      const { endpoints } = whatIf(model, parts, NOTHING);
      const isGone = (it: string) => !after.has(it) || failed.has(it.split(' ')[3] ?? '');
      expect(
        endpoints.map((it) => `${it.namespace.cluster.name} ${it.namespace.namespace} ${it.from} ${it.to}`),
      ).toEqual(before.filter((it) => !failed.has(it.split(' ')[2] ?? '') && isGone(it)));
    }),
  );

  law(
    'finds each part by its text',
    50,
    fc.property(fleets, ([{ spec }]) => {
      const { model } = compiledWithKeys(spec);
      for (const part of allParts(partsOf(model))) {
        const reading = findPart(model, printPart(part));
        expect(reading.ok && printPart(reading.part)).toBe(printPart(part));
        expect(reading.ok && reading.part.links.map((it) => it.id)).toEqual(part.links.map((it) => it.id));
      }
    }),
  );
});

function endpointsOf(model: BoundedModel): readonly string[] {
  const fates = pairFatesOf(model);
  return model.offloadings.flatMap((it) =>
    serviceClusters(it).flatMap((from) =>
      (endpointPaths(model, it, clusterNamed(model, from.name), fates) ?? [])
        .filter(isDelivered)
        .map((path) => `${it.cluster.name} ${it.namespace} ${from.name} ${path.cluster}`),
    ),
  );
}

const at = { source: { path: 'topology.yaml', text: '' }, start: 0, end: 0 };

/** An assertion for each ordered pair and kind of path, one for all pairs, and one for each namespace and sender. */
function requirementsOf(model: BoundedModel) {
  const names = [...model.clusters.keys()];
  const cluster = (name: string) => ({ kind: 'cluster', name, at }) as const;
  const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));
  const assertions = pairs.flatMap(([from, to]) =>
    ([null, 'hub', 'shortcut'] as const).map(
      (via): Assertion => ({
        at,
        from: cluster(from),
        to: cluster(to),
        expect: 'reachable',
        via,
        by: null,
        without: null,
      }),
    ),
  );
  const everyone: Assertion = {
    at,
    from: { kind: 'labels', labels: {}, at },
    to: { kind: 'labels', labels: {}, at },
    expect: 'reachable',
    via: null,
    by: null,
    without: null,
  };
  const serviceAssertions = model.offloadings.flatMap((it) =>
    serviceClusters(it).flatMap((from) =>
      ([null, 'hub', 'shortcut'] as const).map(
        (via): ServiceAssertion => ({
          at,
          from: cluster(from.name),
          to: { namespace: it.namespace, service: 'web', of: { value: it.cluster.name, at }, at },
          expect: 'reachable',
          via,
          by: null,
          without: null,
        }),
      ),
    ),
  );
  return { assertions: [...assertions, everyone], serviceAssertions };
}

const indexIn =
  ({ assertions, serviceAssertions }: ReturnType<typeof requirementsOf>) =>
  (it: Assertion | ServiceAssertion): number =>
    [...assertions, ...serviceAssertions].indexOf(it);

/** The topology without the links of a part, or with the cluster retired. */
function edited(spec: TopologySpec, part: Part): TopologySpec {
  if (part.kind === 'cluster') {
    const sharing = spec.sharing?.filter((it) => it.consumer !== part.cluster && it.provider !== part.cluster);
    // Without any loan, a topology does not say who offloads.
    fc.pre(sharing === undefined || sharing.length > 0 || spec.sharing?.length === 0);
    const cluster = { ...(spec.clusters[part.cluster] ?? { podCIDR: '' }), retired: true };
    return {
      ...spec,
      clusters: { ...spec.clusters, [part.cluster]: cluster },
      ...(sharing ? { sharing } : {}),
      offloading: [],
    };
  }
  return part.links.reduce((it, link) => withoutLink(it, endNames(link)), spec);
}

function withoutLink(spec: TopologySpec, [a, b]: readonly [string, string]): TopologySpec {
  const isOther = ({ between }: { readonly between: readonly [string, string] }) =>
    !(between.includes(a) && between.includes(b));
  const clusters = Object.fromEntries(
    Object.entries(spec.clusters).map(([name, it]) => {
      const other = name === a ? b : name === b ? a : null;
      return [name, other === null ? it : { ...it, hub: hubsOf(spec, name).filter((hub) => hub !== other) }];
    }),
  );
  return {
    ...spec,
    clusters,
    ...(spec.peerings ? { peerings: spec.peerings.filter(isOther) } : {}),
    ...(spec.shortcuts ? { shortcuts: spec.shortcuts.filter(isOther) } : {}),
  };
}
