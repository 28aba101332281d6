import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/base/net/text.ts';
import { judgeAnswers, observeAssertions, type ProbeVerdict } from '../../../src/reach/probes/judge-answers.ts';
import type { PlannedProbe, ProbePath } from '../../../src/reach/probes/plan-probes.ts';
import { type ProbeAnswer, printProbeScript, readProbeAnswers } from '../../../src/reach/probes/probe-script.ts';
import { compiledText } from '../../support/compile-text.ts';
import { keyedFleets } from '../../support/fleets.ts';

const at = (it: string): number => readAddress(it) as number;

const PROBERS = ['rome', 'milan', 'turin'].map((cluster, index) => ({
  cluster,
  pod: `prober-${cluster}`,
  address: at('10.202.0.5') + index,
}));

const DIRECT: ProbePath = { kind: 'direct', link: 'peering' };

const probeOf = (more: Partial<PlannedProbe> = {}): PlannedProbe => ({
  id: 0,
  from: 'rome',
  to: 'milan',
  path: DIRECT,
  dialled: at('10.61.0.7'),
  predicted: { kind: 'delivered', source: at('10.62.0.5') },
  mtuBytes: 1340,
  ...more,
});

const GOOD: ProbeAnswer = {
  host: 'prober-milan',
  source: at('10.62.0.5'),
  full: { tcp: true, udp: true },
  pathMtu: null,
};

const verdictOf = (answer: Partial<ProbeAnswer>, more: Partial<PlannedProbe> = {}): ProbeVerdict | undefined => {
  const probe = probeOf(more);
  return judgeAnswers([probe], new Map([[probe.id, { ...GOOD, ...answer }]]), PROBERS)[0]?.verdict;
};

describe('the answer to a probe', () => {
  const NOTHING: Partial<ProbeAnswer> = { host: null, source: null, full: { tcp: false, udp: false } };
  const TABLE: readonly (readonly [string, Partial<ProbeAnswer>, ProbeVerdict])[] = [
    ['is as predicted', {}, { kind: 'as-predicted' }],
    ['does not come', NOTHING, { kind: 'lost' }],
    [
      'comes from another prober',
      { host: 'prober-turin' },
      { kind: 'other-receiver', host: 'prober-turin', cluster: 'turin' },
    ],
    [
      'comes from the sender itself',
      { host: 'prober-rome' },
      { kind: 'other-receiver', host: 'prober-rome', cluster: 'rome' },
    ],
    [
      'comes from a program',
      { host: '404pagenotfound' },
      { kind: 'other-receiver', host: '404pagenotfound', cluster: null },
    ],
    ['comes over TCP alone', { source: null, full: { tcp: true, udp: false } }, { kind: 'udp-lost' }],
    ['names another sender', { source: at('10.62.0.6') }, { kind: 'other-source', source: at('10.62.0.6') }],
    [
      'does not come when questions are long',
      { full: { tcp: false, udp: false } },
      { kind: 'full-packet-lost', full: { tcp: false, udp: false }, pathMtu: null },
    ],
    [
      'does not come to a datagram that fills the MTU',
      { full: { tcp: true, udp: false }, pathMtu: 'less' },
      { kind: 'full-packet-lost', full: { tcp: true, udp: false }, pathMtu: null },
    ],
    [
      'comes in pieces, since the kernel has learned that the path is smaller',
      { pathMtu: 1300 },
      { kind: 'full-packet-lost', full: { tcp: true, udp: true }, pathMtu: 1300 },
    ],
    ['comes although the kernel knows that the path is larger', { pathMtu: 1420 }, { kind: 'as-predicted' }],
  ];
  it.each(TABLE)('%s', (_, answer, verdict) => expect(verdictOf(answer)).toEqual(verdict));

  it.each<[string, readonly string[], ProbeVerdict['kind']]>([
    ['has the one endpoint that it must have', ['10.61.0.7'], 'as-predicted'],
    ['has no endpoint', [], 'other-endpoints'],
    ['has another endpoint', ['10.61.0.8'], 'other-endpoints'],
    ['has two endpoints', ['10.61.0.7', '10.61.0.8'], 'other-endpoints'],
  ])('comes by a Service that %s', (_, found, kind) => {
    const endpoints = { expected: at('10.61.0.7'), found: found.map(at) };
    const path = { kind: 'service', namespace: 'weft-conformance-como' } as const;
    expect(verdictOf({}, { path, endpoints })?.kind).toBe(kind);
  });

  it('must not come where nothing leads to the prober; whatever else has the address may answer', () => {
    const lost = { predicted: { kind: 'lost', fate: 'no-route' } } as const;
    expect(verdictOf(NOTHING, lost)).toEqual({ kind: 'as-predicted' });
    expect(verdictOf({ host: 'printer' }, lost)).toEqual({ kind: 'as-predicted' });
    expect(verdictOf({}, lost)).toEqual({ kind: 'reached' });
  });
});

describe('the script of a prober', () => {
  const probes = [probeOf({ id: 3 }), probeOf({ id: 8, mtuBytes: 9000 })];

  it('has a line for each target: id, address, and the bytes that fill a datagram', () => {
    const [, targets] = /TARGETS='\n([\s\S]*)\n'\n[\s\S]*\necho done 2\n$/.exec(printProbeScript(probes)) ?? [];
    expect(targets?.split('\n')).toEqual(['3 10.61.0.7 1307', '8 10.61.0.7 2043']);
  });

  it('answers in any order', () => {
    const answers = readProbeAnswers('8 - - - - -\n3 prober-milan 10.62.0.5:40001 full - 1300\ndone 2\n', probes);
    expect(answers).toEqual(
      new Map<number, ProbeAnswer>([
        [8, { host: null, source: null, full: { tcp: false, udp: false }, pathMtu: null }],
        [3, { host: 'prober-milan', source: at('10.62.0.5'), full: { tcp: true, udp: false }, pathMtu: 1300 }],
      ]),
    );
  });

  const GOOD_LINES = '3 a - - - -\n8 a - - - -\n';
  it.each([
    ['without its end', GOOD_LINES],
    ['with another end', `${GOOD_LINES}done 3\n`],
    ['without a target', '3 a - - - -\ndone 2\n'],
    ['with a target twice', '3 a - - - -\n3 a - - - -\ndone 2\n'],
    ['with another target', '3 a - - - -\n4 a - - - -\ndone 2\n'],
    ['with a message between', `${GOOD_LINES}bash: curl: not found\ndone 2\n`],
    ['with control characters', '3 \u001b[31m - - - -\n8 a - - - -\ndone 2\n'],
    ['empty', ''],
  ])('is no answer %s', (_, text) => expect(readProbeAnswers(text, probes)).toBeUndefined());
});

describe('assertions on real packets', () => {
  const { model, inputs } = compiledText(`version: 1
name: test
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16, labels: { env: test } }
  milan: { podCIDR: 10.202.0.0/16 }
  turin: { podCIDR: 10.203.0.0/16, labels: { env: test } }
assertions:
  - { from: rome, to: turin, expect: unreachable }
  - { from: { env: test }, to: milan, expect: unreachable }
  - { from: rome, to: milan, expect: unreachable, via: shortcut }
`);
  const [alone, labelled, direct] = inputs.declaration.assertions;
  const lost = { kind: 'lost', fate: 'no-route' } as const;
  const sent = (from: string, to: string, arrives: boolean, path: ProbePath = { kind: 'none' }) => ({
    probe: probeOf({ from, to, path, predicted: lost }),
    verdict: { kind: arrives ? 'reached' : 'as-predicted' } as const,
  });
  const states = (...judged: readonly ReturnType<typeof sent>[]) =>
    observeAssertions(model, inputs.declaration, { judged, undialled: [] }).map((it) => [
      it.state,
      it.decided,
      it.pairs,
    ]);

  it('hold when every pair was dialled, and none contradicts them', () => {
    expect([alone, labelled, direct].every((it) => it !== undefined)).toBe(true);
    expect(states(sent('rome', 'turin', false), sent('rome', 'milan', false), sent('turin', 'milan', false))).toEqual([
      ['holds', 1, 1],
      ['holds', 2, 2],
      ['holds', 1, 1],
    ]);
  });

  it('are not decided while a pair, or a path of it, was not dialled', () => {
    expect(states(sent('rome', 'milan', false))).toEqual([
      ['unknown', 0, 1],
      ['unknown', 1, 2],
      ['holds', 1, 1],
    ]);
    const hub = { from: 'rome', to: 'turin', path: { kind: 'through', hub: 'milan' }, why: 'not-mapped' } as const;
    const judged = [sent('rome', 'turin', false)];
    expect(observeAssertions(model, inputs.declaration, { judged, undialled: [hub] })[0]).toMatchObject({
      state: 'unknown',
      decided: 0,
    });
  });

  it('are broken by one packet, on a path that they are about', () => {
    const [first, second, third] = observeAssertions(model, inputs.declaration, {
      judged: [sent('rome', 'milan', true), sent('rome', 'turin', true, DIRECT)],
      undialled: [],
    });
    expect(first).toMatchObject({ state: 'broken', broken: { from: 'rome', to: 'turin' } });
    expect(second).toMatchObject({ state: 'broken', broken: { from: 'rome', to: 'milan' } });
    expect(third).toMatchObject({ state: 'holds' });
  });
});

describe('assertions about Services on real packets', () => {
  const fleet = keyedFleets().find((it) => it.name === 'assertions-about-services-hold');
  if (fleet === undefined) throw new Error('no such golden');
  const { model, inputs } = fleet.compiled;
  const HUB: ProbePath = { kind: 'through', hub: 'rome' };
  const sent = (from: string, to: string, path: ProbePath, arrives = true) => ({
    probe: probeOf({ from, to, path }),
    verdict: { kind: arrives ? 'as-predicted' : 'lost' } as const,
  });
  /** Every path between pods of the Services, and that of milan and turin through the consumer. */
  const ALL = [
    ...['milan', 'turin'].flatMap((it) => [sent('rome', it, DIRECT), sent(it, 'rome', DIRECT)]),
    ...[sent('milan', 'turin', DIRECT), sent('turin', 'milan', DIRECT)],
    ...[sent('milan', 'turin', HUB), sent('turin', 'milan', HUB)],
  ];
  const states = (judged: typeof ALL, undialled: Parameters<typeof observeAssertions>[2]['undialled'] = []) =>
    observeAssertions(model, { ...inputs.declaration, assertions: [] }, { judged, undialled }).map((it) => [
      it.state,
      it.decided,
      it.pairs,
      it.broken?.path.kind,
    ]);

  it('are decided by the paths to the clusters in which their pods may run', () => {
    expect(states(ALL)).toEqual([
      ['holds', 4, 4, undefined],
      ['holds', 1, 1, undefined],
      ['holds', 2, 2, undefined],
      // A cluster without the Service sends no packet to it.
      ['unknown', 0, 0, undefined],
    ]);
  });

  it('are broken by their own path alone', () => {
    const without = (path: ProbePath) =>
      ALL.map((it) =>
        it.probe.path === path && it.probe.from === 'milan' ? sent('milan', it.probe.to, path, false) : it,
      );
    expect(states(without(HUB)).map(([state]) => state)).toEqual(['holds', 'broken', 'holds', 'unknown']);
    expect(states(without(DIRECT)).map(([state]) => state)).toEqual(['broken', 'holds', 'holds', 'unknown']);
  });

  it('are not decided where their path was not dialled', () => {
    const direct = ALL.filter((it) => it.probe.path === DIRECT);
    const undialled = [{ from: 'milan', to: 'turin', path: HUB, why: 'not-mapped' } as const];
    expect(states(direct, undialled)[1]).toEqual(['unknown', 0, 1, undefined]);
  });
});
