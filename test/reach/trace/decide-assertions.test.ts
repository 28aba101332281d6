import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveHost } from '../../../src/base/net/prefix.ts';
import { startOf } from '../../../src/base/source/source.ts';
import { compile } from '../../../src/compile.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { type Assertion, carriesPackets, type Selector } from '../../../src/fleet/model/network-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { representativePod } from '../../../src/reach/trace/address.ts';
import { decideAssertions } from '../../../src/reach/trace/decide-assertions.ts';
import type { FateKind } from '../../../src/reach/trace/fates.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import type { TraceRequest } from '../../../src/reach/trace/trace-request.ts';
import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { checker, drawn } from '../../support/check-diagnostics.ts';
import { RUNS_ALL } from '../../support/drawn.ts';
import { joinPeers } from '../../support/join-peers.ts';
import { keysOf, someKeys } from '../../support/keys-of.ts';

const diagnose = (source: { readonly path: string; readonly text: string }) =>
  compile({ topology: source, keys: keysOf(source), lock: undefined }, { relock: [], only: [] }).diagnostics;

const check = checker(diagnose);

/** Europe with three leaves, two of which have a shortcut; oslo has no link. */
const fleet = (assertions: string): string => `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.10, labels: { tier: hub } }
  milan: { podCIDR: 10.2.0.0/16, gateway: 203.0.113.11, labels: { tier: leaf } }
  oslo: { podCIDR: 10.3.0.0/16, gateway: 203.0.113.12, hub: [], labels: { tier: island } }
  paris: { podCIDR: 10.4.0.0/16, gateway: 203.0.113.13, labels: { tier: leaf } }
  rome: { podCIDR: 10.4.0.0/16, gateway: 203.0.113.14, labels: { tier: leaf } }
  turin: { podCIDR: 10.5.0.0/16, retired: true, labels: { tier: leaf, old: "yes" } }
shortcuts:
  - [milan, rome]
assertions:
  - ${assertions}
`;

const holds = (assertion: string): readonly string[] =>
  diagnose({ path: 'topology.yaml', text: drawn(fleet(assertion)).text })
    .filter((it) => it.severity === 'error')
    .map((it) => it.message);

describe('an assertion holds', () => {
  it.each([
    '{ from: rome, to: europe, expect: reachable }',
    '{ from: rome, to: europe, expect: reachable, via: shortcut }',
    '{ from: rome, to: milan, expect: reachable, via: hub }',
    '{ from: rome, to: milan, expect: reachable, via: shortcut }',
    '{ from: rome, to: paris, expect: reachable, via: hub }',
    '{ from: rome, to: paris, expect: unreachable, via: shortcut }',
    '{ from: paris, to: europe, expect: unreachable, via: hub }',
    '{ from: rome, to: oslo, expect: unreachable }',
    '{ from: turin, to: rome, expect: unreachable }',
    '{ from: { tier: leaf }, to: { tier: leaf }, expect: reachable }',
    '{ from: { tier: leaf }, to: { tier: hub }, expect: reachable, via: shortcut }',
    '{ from: { tier: leaf }, to: { tier: leaf }, expect: reachable, via: hub }',
    '{ from: { tier: island }, to: {}, expect: unreachable }',
    '{ from: {}, to: oslo, expect: unreachable }',
  ])('%s', (assertion) => expect(holds(assertion)).toEqual([]));
});

describe('an assertion is broken', () => {
  const code = 'assertion/broken';
  check('without a link or a hub', fleet('«{ from: rome, to: oslo, expect: reachable }»'), {
    code,
    message: '"rome" does not reach "oslo": they have no link, and no cluster has links to both',
    hint: 'add the pair to `peerings`, or link both to one cluster, or correct the assertion',
    related: '"rome" sends',
  });
  check(
    'with both ends',
    fleet('«{ from: rome, to: oslo, expect: reachable, via: hub }»').replace('oslo:', '‹oslo›:'),
    {
      code,
      hint: /^link both to one cluster/,
    },
  );
  check('through a hub instead of a shortcut', fleet('«{ from: rome, to: paris, expect: reachable, via: shortcut }»'), {
    code,
    message: '"rome" reaches "paris" through "europe", not by a link of the two',
    hint: /^add the pair to `peerings` or `shortcuts`/,
  });
  check('by a link instead of a hub', fleet('«{ from: paris, to: europe, expect: reachable, via: hub }»'), {
    code,
    message: '"paris" reaches "europe" by their hub link, not through a cluster between them',
    hint: 'link both to one cluster, or correct the assertion',
  });
  check(
    'because a hub forwards beside a shortcut',
    fleet('«{ from: rome, to: milan, expect: unreachable, via: hub }»'),
    {
      code,
      message: '"rome" reaches "milan" through "europe"',
    },
  );
  check('because there is a way', fleet('«{ from: rome, to: paris, expect: unreachable }»'), {
    code,
    message: '"rome" reaches "paris" through "europe"',
    hint: 'remove the link of "europe" to one of the two (by another hub, `hub: []`, or in `peerings`), or correct the assertion',
  });
  check(
    'because there is a link',
    fleet('«{ from: rome, to: milan, expect: unreachable, via: shortcut }»').replace(
      '- [milan, rome]',
      '- ‹[milan, rome]›',
    ),
    {
      code,
      message: '"rome" reaches "milan" by their shortcut',
    },
  );
  check('because one is retired', fleet('«{ from: rome, to: turin, expect: reachable }»'), {
    code,
    message: '"rome" does not reach "turin": one of them is retired',
    hint: 'remove `retired` from "turin", or correct the assertion',
  });
  check(
    'by one pair of several',
    fleet('«{ from: { tier: leaf }, to: { tier: leaf }, expect: unreachable, via: shortcut }»'),
    {
      code,
      message: '"milan" reaches "rome" by their shortcut; 1 other pair breaks it, too',
    },
  );
  check('by more pairs than are counted', fleet('«{ from: {}, to: {}, expect: unreachable }»'), {
    code,
    message: '"europe" reaches "milan" by their hub link; other pairs break it, too',
  });
});

describe('an assertion about a fleet with loans', () => {
  const lent = (assertion: string): string =>
    `${fleet(assertion).replaceAll('podCIDR', 'apiServer: api.example.com:6443, podCIDR')}
sharing: [{ consumer: europe, provider: milan }, { consumer: europe, provider: rome }]
`.replaceAll(/(\w+): \{ apiServer: api/g, '$1: { apiServer: api-$1');
  const code = 'assertion/broken';

  it.each([
    '{ from: paris, to: rome, expect: reachable }',
    '{ from: paris, to: rome, expect: reachable, via: hub }',
    '{ from: { tier: leaf }, to: milan, expect: reachable, via: hub }',
    '{ from: rome, to: milan, expect: reachable, via: shortcut }',
  ])('holds where the hub borrows from the receiver: %s', (assertion) => {
    const text = lent(assertion);
    expect(diagnose({ path: 'topology.yaml', text }).filter((it) => it.severity === 'error')).toEqual([]);
  });

  check('is broken where it borrows nothing', lent('«{ from: rome, to: paris, expect: reachable }»'), {
    code,
    message:
      '"rome" does not reach "paris": the hub between them borrows nothing from the receiver, so it maps none of its pods',
    hint: 'add `{ consumer: europe, provider: paris }` to `sharing`, or [rome, paris] to `peerings`, or correct the assertion',
  });
  check(
    'is broken by one pair of many',
    lent('«{ from: { tier: leaf }, to: { tier: leaf }, expect: reachable, via: hub }»'),
    {
      code,
      message: /^"milan" does not reach "paris": .*; 1 other pair breaks it, too$/,
      hint: 'add `{ consumer: europe, provider: paris }` to `sharing`, or correct the assertion',
    },
  );
  check('is broken, too, when it says that nothing passes', lent('«{ from: rome, to: paris, expect: unreachable }»'), {
    code,
    message: 'packets from "rome" to "paris" pass through "europe" as soon as it offloads pods there',
    hint: /^remove the link of "europe"/,
  });
});

describe('an assertion about links without keys', () => {
  const asserted = (assertion: string, ...keyless: readonly string[]) => {
    const source = { path: 'topology.yaml', text: fleet(assertion) };
    const keys = keysOf(source, (cluster, peer) => !keyless.includes(`${cluster}/${peer}`));
    return compile({ topology: source, keys, lock: undefined }, { relock: [], only: [] })
      .diagnostics.filter((it) => it.code === 'assertion/broken')
      .map((it) => ({ message: it.message, hint: it.hint }));
  };

  it('is broken by the gateway that it names', () => {
    expect(asserted('{ from: rome, to: europe, expect: reachable }', 'europe/rome', 'milan/rome')).toEqual([
      {
        message: '"rome" does not reach "europe": the gateway of "europe" towards "rome" has no public key',
        hint: 'run "weft keys generate", or correct the assertion',
      },
    ]);
    expect(
      asserted('{ from: paris, to: rome, expect: reachable }', 'rome/europe', 'europe/rome', 'rome/milan'),
    ).toEqual([
      {
        message:
          '"paris" does not reach "rome": the gateways of "europe" and "rome" towards each other have no public keys',
        hint: 'run "weft keys generate", or correct the assertion',
      },
    ]);
  });

  it('goes another way where there is one', () => {
    expect(asserted('{ from: rome, to: milan, expect: reachable }', 'rome/milan')).toEqual([]);
    expect(asserted('{ from: rome, to: milan, expect: unreachable, via: shortcut }', 'rome/milan')).toEqual([]);
    expect(asserted('{ from: rome, to: milan, expect: reachable, via: shortcut }', 'rome/milan')).toEqual([
      {
        message: '"rome" reaches "milan" through "europe", not by a link of the two',
        hint: 'run "weft keys generate", or correct the assertion',
      },
    ]);
    expect(asserted('{ from: rome, to: europe, expect: unreachable, via: shortcut }', 'rome/europe')).toEqual([]);
    expect(asserted('{ from: rome, to: europe, expect: unreachable }', 'rome/europe')).toEqual([
      {
        message: '"rome" reaches "europe" through "milan"',
        hint: 'remove the link of "milan" to one of the two (by another hub, `hub: []`, or in `peerings`), or correct the assertion',
      },
    ]);
  });

  it('is about one kind of path where the link of the two delivers nothing and a hub does', () => {
    const source = { path: 'topology.yaml', text: fleet('{ from: rome, to: milan, expect: reachable }') };
    const compiledFleet = compile(
      { topology: source, keys: keysOf(source), lock: undefined },
      { relock: [], only: [] },
    );
    if (!compiledFleet.ok) throw new Error('the fleet does not compile');
    const { model } = compiledFleet.value;
    const milan = model.clusters.get('milan') as AddressedCluster;
    // No view that contains rome's pods, which compile never produces: their packets arrive, and cannot be answered.
    const peers = new Map([...milan.peers].map(([name, it]) => [name, name === 'rome' ? { ...it, podViews: [] } : it]));
    const blind = joinPeers({ ...model, clusters: new Map([...model.clusters, ['milan', { ...milan, peers }]]) });
    const at = startOf(source);
    const decided = (expected: 'reachable' | 'unreachable', via: Assertion['via']) =>
      decideAssertions(blind, [
        {
          at,
          from: { kind: 'cluster', name: 'rome', at },
          to: { kind: 'cluster', name: 'milan', at },
          expect: expected,
          via,
          by: null,
          without: null,
        },
      ]).diagnostics.map((it) => it.message);
    expect(decided('reachable', null)).toEqual([]);
    expect(decided('reachable', 'hub')).toEqual([]);
    expect(decided('reachable', 'shortcut')).toEqual([
      '"rome" reaches "milan" through "europe", not by a link of the two',
    ]);
    expect(decided('unreachable', 'shortcut')).toEqual([
      'packets from "rome" to "milan" pass by their shortcut, although no answer can reach the sender',
    ]);
  });
});

describe('an assertion matches nothing', () => {
  const code = 'assertion/matches-nothing';
  check('with labels of no cluster', fleet('{ from: «{ tier: leave }», to: rome, expect: reachable }'), {
    code,
    message: 'no cluster has the labels tier: leave',
  });
  check(
    'with labels of a retired cluster',
    fleet('{ from: rome, to: «{ tier: leaf, old: "yes" }», expect: reachable }'),
    {
      code,
      message: 'no cluster has the labels tier: leaf, old: yes',
    },
  );
  check(
    'between a cluster and itself',
    fleet('«{ from: rome, to: { tier: island }, expect: reachable }»').replace('from: rome', 'from: oslo'),
    {
      code,
      message: 'the assertion selects only "oslo", and it needs two clusters',
    },
  );
  check('because no cluster has the name', fleet('{ from: «rmoe», to: milan, expect: reachable }'), {
    code: 'topology/unknown-cluster',
    hint: 'did you mean "rome"?',
  });
});

/** Fates of packets that do not get to the receiver. */
const LOST: readonly FateKind[] = ['no-route', 'no-keys', 'refused', 'refused-by-policy', 'retired'];

/**
 * Every pair of different clusters, walked one by one over their link and through every other cluster. A packet that
 * arrives breaks that its receiver is unreachable, also when the answer to it is lost.
 */
function brokenOneByOne(
  model: SharedModel,
  { via, expect: wanted }: Assertion,
  from: readonly AddressedCluster[],
  to: readonly AddressedCluster[],
): boolean {
  const carries = (a: AddressedCluster, b: AddressedCluster): boolean => {
    const link = a.peers.get(b.name)?.link;
    return link !== undefined && carriesPackets(link);
  };
  const fateOf = (a: AddressedCluster, request: Pick<TraceRequest, 'to' | 'through'>): FateKind =>
    trace(model, { from: { cluster: a.name, address: null }, ...request }).fate.kind;
  const fatesOf = (a: AddressedCluster, b: AddressedCluster): readonly FateKind[] => {
    const view = a.peers.get(b.name)?.podViews[0];
    const isLinked = via !== 'hub' && view !== undefined && carries(a, b);
    const hubs =
      via === 'shortcut' ? [] : [...model.clusters.values()].filter((it) => carries(a, it) && carries(it, b));
    return [
      ...(isLinked
        ? [fateOf(a, { to: { kind: 'address', address: moveHost(representativePod(b), view.seenAs) } })]
        : []),
      ...hubs.map((it) => fateOf(a, { to: { kind: 'cluster', cluster: b.name, address: null }, through: it.name })),
    ];
  };
  const isBroken = (fates: readonly FateKind[]): boolean =>
    wanted === 'reachable' ? !fates.includes('delivered') : fates.some((it) => !LOST.includes(it));
  return from.some((a) => to.some((b) => a !== b && isBroken(fatesOf(a, b))));
}

describe('deciding an assertion', () => {
  const at = startOf({ path: 'topology.yaml', text: '' });
  law(
    'gives what walking every pair gives',
    100,
    fc.property(
      arbitraryFleet({ maxClusters: 8 }),
      fc.array(
        fc.tuple(
          fc.nat({ max: 255 }),
          fc.nat({ max: 255 }),
          fc.boolean(),
          fc.constantFrom(null, 'shortcut' as const, 'hub' as const),
        ),
        {
          minLength: 6,
          maxLength: 6,
        },
      ),
      fc.nat(),
      ({ spec }, asked, seed) => {
        const { model: plain } = compiledWithKeys(spec, someKeys(seed));
        // A bit of a number is a label: it selects the cluster with that index.
        const labelled = [...plain.clusters].map(([name, it], i) => {
          const labels = Object.fromEntries(
            asked.flatMap(([a, b], k) => [
              [`a${k}`, `${(a >> (i % 8)) & 1}`],
              [`b${k}`, `${(b >> (i % 8)) & 1}`],
            ]),
          );
          return [name, { ...it, labels }] as const;
        });
        const model = joinPeers({ ...plain, clusters: new Map(labelled) });
        for (const [k, [, , reachable, via]] of asked.entries()) {
          const select = (key: string): readonly [Selector, readonly AddressedCluster[]] => [
            { kind: 'labels', labels: { [key]: '1' }, at },
            [...model.clusters.values()].filter((it) => !it.retired && it.labels[key] === '1'),
          ];
          const [[from, senders], [to, receivers]] = [select(`a${k}`), select(`b${k}`)];
          const assertion: Assertion = {
            at,
            from,
            to,
            expect: reachable ? 'reachable' : 'unreachable',
            via,
            by: null,
            without: null,
          };
          const found = decideAssertions(model, [assertion]).diagnostics.map((it) => it.code);
          const isAboutNothing =
            senders.length === 0 ||
            receivers.length === 0 ||
            (senders.length === 1 && receivers.length === 1 && senders[0] === receivers[0]);
          if (isAboutNothing) expect(new Set(found)).toEqual(new Set(['assertion/matches-nothing']));
          else
            expect(
              found.length > 0,
              JSON.stringify(assertion, (key, value) => (key === 'at' ? undefined : value)),
            ).toBe(brokenOneByOne(model, assertion, senders, receivers));
        }
      },
    ),
  );

  it('of many clusters costs about as much as their links', () => {
    const count = RUNS_ALL ? 1500 : 300;
    const leaves = Array.from(
      { length: count },
      (_, i) => `  c${i}: { podCIDR: 10.${i >> 8}.${i & 255}.0/24, labels: { tier: leaf } }`,
    );
    const text = `version: 1
name: big
hub: hub
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto, internalCIDR: 172.16.0.0/24 }
ipam: { carve: { from: 10.128.0.0/9, prefix: 24 } }
clusters:
  hub:
    podCIDR: 192.168.0.0/24
    externalCIDR: 172.17.0.0/20
    internalCIDR: 172.18.0.0/20
    gateway: { addresses: [203.0.113.10], nodePorts: 20000-32767 }
${leaves.join('\n')}
`;
    const topology = { path: 'topology.yaml', text };
    const outcome = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: [] });
    if (!outcome.ok) throw new Error(outcome.diagnostics.find((it) => it.severity === 'error')?.message);
    const { model } = outcome.value;
    let asked = 0;
    // In place, because peers refer to these clusters.
    for (const it of model.clusters.values()) {
      const { peers } = it;
      Object.defineProperty(it, 'peers', {
        get() {
          asked++;
          return peers;
        },
      });
    }
    const leaf: Selector = { kind: 'labels', labels: { tier: 'leaf' }, at };
    const assertions = (['shortcut', 'hub', null] as const).map(
      (via): Assertion => ({
        at,
        from: leaf,
        to: leaf,
        expect: via === 'shortcut' ? 'unreachable' : 'reachable',
        via,
        by: null,
        without: null,
      }),
    );
    const decided = decideAssertions(model, assertions);
    expect(decided.diagnostics).toEqual([]);
    expect(model.clusters.size).toBe(count + 1);
    // Each cluster's peers are read some times per link, not once per pair.
    expect(asked).toBeGreaterThan(count);
    expect(asked).toBeLessThan(100 * count);
  });
});
