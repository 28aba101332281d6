import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import type { Assertion } from '../../../src/fleet/model/network-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import type { FailedPart, ServiceAssertion } from '../../../src/fleet/topology/declaration.ts';
import { serviceClusters } from '../../../src/reach/services/find-namespace.ts';
import { decideWithout } from '../../../src/reach/whatif/decide-without.ts';
import { endNames, findPart, type Part, partsOf } from '../../../src/reach/whatif/parts.ts';
import { whatIf } from '../../../src/reach/whatif/what-if.ts';
import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { checker, drawn } from '../../support/check-diagnostics.ts';
import { keysOf, someKeys } from '../../support/keys-of.ts';

const diagnose = (source: { readonly path: string; readonly text: string }) =>
  compile({ topology: source, keys: keysOf(source), lock: undefined }, { relock: [], only: [] }).diagnostics;

const check = checker(diagnose);

/** Two hubs for three leaves, of which oslo has only the first; rome and milan have a shortcut. */
const fleet = (assertions: string): string => `version: 1
name: europe
hub: [hub-a, hub-b]
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub-a: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.10, labels: { tier: hub } }
  hub-b: { podCIDR: 10.2.0.0/16, gateway: 203.0.113.11, labels: { tier: hub } }
  milan: { podCIDR: 10.3.0.0/16, gateway: 203.0.113.12, labels: { tier: leaf } }
  oslo: { podCIDR: 10.4.0.0/16, hub: hub-a, labels: { tier: far } }
  rome: { podCIDR: 10.5.0.0/16, gateway: 203.0.113.14, labels: { tier: leaf } }
shortcuts:
  - [milan, rome]
assertions:
  - ${assertions}
`;

const problems = (assertion: string): readonly string[] =>
  diagnose({ path: 'topology.yaml', text: drawn(fleet(assertion)).text })
    .filter((it) => it.severity === 'error')
    .map((it) => it.message);

describe('an assertion holds without a part', () => {
  it.each([
    '{ from: rome, to: milan, expect: reachable, without: any-link }',
    '{ from: rome, to: milan, expect: reachable, without: any-gateway }',
    '{ from: rome, to: milan, expect: reachable, without: any-cluster }',
    '{ from: rome, to: milan, expect: reachable, via: hub, without: any-cluster }',
    '{ from: rome, to: milan, expect: reachable, without: hub-a }',
    '{ from: rome, to: oslo, expect: reachable, without: hub-b }',
    '{ from: { tier: leaf }, to: { tier: leaf }, expect: reachable, via: hub, without: hub-a/203.0.113.10 }',
    '{ from: oslo, to: { tier: leaf }, expect: unreachable, without: hub-a }',
    '{ from: oslo, to: rome, expect: unreachable, without: hub-a/oslo }',
    '{ from: { tier: leaf }, to: { tier: leaf }, expect: reachable, without: milan/rome }',
  ])('%s', (assertion) => {
    expect(problems(assertion)).toEqual([]);
  });
});

describe('an assertion is broken without a part', () => {
  const code = 'assertion/broken';
  check('because there is one path', fleet('«{ from: rome, to: oslo, expect: reachable, without: any-link }»'), {
    code,
    message: 'without the link hub-a/rome, "rome" does not reach "oslo": there is no other path',
    hint: 'add the pair to `peerings`, link both to one more cluster, or correct the assertion',
  });
  check('because there is one hub', fleet('«{ from: rome, to: oslo, expect: reachable, without: any-cluster }»'), {
    code,
    message: 'without "hub-a", "rome" does not reach "oslo": there is no other path',
  });
  check('because one gateway serves it', fleet('«{ from: rome, to: oslo, expect: reachable, without: any-gateway }»'), {
    code,
    message: 'without the gateway hub-a/203.0.113.10, "rome" does not reach "oslo": there is no other path',
  });
  check('which is named', fleet('«{ from: { tier: leaf }, to: oslo, expect: reachable, without: hub-a }»'), {
    code,
    message: 'without "hub-a", "milan" does not reach "oslo": there is no other path; 1 other pair breaks it, too',
  });
  check(
    'because no other path is of the kind',
    fleet('«{ from: rome, to: milan, expect: reachable, via: shortcut, without: any-link }»'),
    {
      code,
      message: 'without the link milan/rome, "rome" does not reach "milan": there is no other path of this kind',
      hint: 'leave out `via`, or correct the assertion: two clusters have at most one link',
    },
  );
  check('because a path does not pass it', fleet('«{ from: rome, to: milan, expect: unreachable, without: hub-a }»'), {
    code,
    message: 'without "hub-a", "rome" still reaches "milan" by the link of the two',
    hint: 'remove this path, or correct the assertion',
  });
  check(
    'by many pairs',
    fleet('«{ from: { tier: leaf }, to: { tier: hub }, expect: reachable, via: shortcut, without: any-link }»'),
    {
      code,
      message:
        'without the link hub-a/milan, "milan" does not reach "hub-a": there is no other path of this kind; 3 other pairs break it, too',
    },
  );
});

describe('a part that an assertion names', () => {
  const code = 'assertion/matches-nothing';
  check('is unknown', fleet('{ from: rome, to: milan, expect: reachable, without: «hub-c» }'), {
    code,
    message: 'no part is called "hub-c"',
    hint: 'did you mean "hub-a"?',
  });
  check('has no kind', fleet('{ from: rome, to: milan, expect: unreachable, without: «any» }'), {
    code,
    message: 'no part is called "any"',
    hint: 'write any-link, any-gateway or any-cluster',
  });
  check('is no link', fleet('{ from: rome, to: milan, expect: reachable, without: «rome/oslo» }'), {
    code,
    message: '"rome" has no link to "oslo", and serves no link at such an address',
    hint: 'name one of: rome/hub-a, rome/hub-b, rome/milan',
  });
  check('is an end of the only pair', fleet('{ from: rome, to: milan, expect: reachable, without: «rome» }'), {
    code,
    message: 'the assertion selects no pair without "rome"',
  });
  check('is no text of a part', fleet('{ from: rome, to: milan, expect: reachable, without: «Any link» }'), {
    code: 'topology/bad-name',
    hint: /^write any-link/,
  });
  check(
    'means nothing with unreachable',
    fleet('{ from: rome, to: oslo, via: shortcut, expect: unreachable, «without»: any-link }'),
    {
      code: 'topology/unused-setting',
      message: '`without` has no effect on `unreachable`: a failure opens no path',
    },
  );
});

const at = { source: { path: 'topology.yaml', text: '' }, start: 0, end: 0 };

/** Every part of a kind; for gateways also those of one link. */
function partsOfKind(model: SharedModel, kind: Part['kind']): readonly Part[] {
  if (kind !== 'gateway') return kind === 'link' ? partsOf(model).links : partsOf(model).clusters;
  const texts = model.links.map((it) => `${endNames(it)[0]}/${it.endpoint.address}`);
  return [...new Set(texts)].flatMap((text) => {
    const reading = findPart(model, text);
    return reading.ok ? [reading.part] : [];
  });
}

const anyOf = (kind: Part['kind']): FailedPart => ({ any: kind, text: { value: `any-${kind}`, at } });

const fleets = fc.tuple(
  arbitraryFleet({ minClusters: 3, maxClusters: 7 }),
  fc.nat(),
  fc.constantFrom('link', 'gateway', 'cluster'),
);

describe('whichever part of a kind fails', () => {
  law(
    'an assertion about clusters holds when no part of the kind breaks it',
    100,
    fc.property(fleets, ([{ spec }, seed, kind]) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      const parts = partsOfKind(model, kind);
      const names = [...model.clusters.values()].filter((it) => !it.retired).map((it) => it.name);
      const via = ([null, 'hub', 'shortcut'] as const)[seed % 3] ?? null;
      for (const from of names) {
        for (const to of names) {
          if (from === to) continue;
          const plain: Assertion = {
            ...{ at, from: { kind: 'cluster', name: from, at }, to: { kind: 'cluster', name: to, at } },
            ...{ expect: 'reachable', via, by: null, without: null },
          };
          const isBroken = parts.some(
            (it) => whatIf(model, [it], { assertions: [plain], serviceAssertions: [] }).broken.length > 0,
          );
          const asked = { assertions: [{ ...plain, without: anyOf(kind) }], serviceAssertions: [] };
          expect([from, to, decideWithout(model, asked).ok]).toEqual([from, to, !isBroken]);
        }
      }
    }),
  );

  law(
    'an assertion about a Service holds when no part of the kind breaks it',
    100,
    fc.property(fleets, ([{ spec }, seed, kind]) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      const parts = partsOfKind(model, kind);
      const via = ([null, 'hub', 'shortcut'] as const)[seed % 3] ?? null;
      for (const namespace of model.offloadings) {
        for (const { name } of serviceClusters(namespace)) {
          const to = {
            ...{ namespace: namespace.namespace, service: 'web' },
            ...{ of: { value: namespace.cluster.name, at }, at },
          };
          const plain: ServiceAssertion = {
            ...{ at, from: { kind: 'cluster', name, at }, to, expect: 'reachable', via, by: null, without: null },
          };
          const isBroken = parts.some(
            (it) => whatIf(model, [it], { assertions: [], serviceAssertions: [plain] }).broken.length > 0,
          );
          const asked = { assertions: [], serviceAssertions: [{ ...plain, without: anyOf(kind) }] };
          expect([name, decideWithout(model, asked).ok]).toEqual([name, !isBroken]);
        }
      }
    }),
  );
});
