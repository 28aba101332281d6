import { describe, expect, it } from 'vitest';
import { labDocument, printLab } from '../../../src/answers/report/lab.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { readAddress } from '../../../src/base/net/text.ts';
import { judgeProbes, type LabPlan, type Observation, type Probe } from '../../../src/reach/lab/lab-plan.ts';
import { labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import { compiledFleets } from '../../support/fleets.ts';

const fleet = compiledFleets().find((it) => it.name === 'deck-two-one-pod-cidr-everywhere');
const whole = fleet && planLab(labScope(fleet.compiled.model, ['cluster2', 'cluster3']));
if (!whole) throw new Error('the deck has gone');
const fromPod = whole.probes.filter(({ flow }) => flow.from === 'cluster2' && flow.sender === 'pod');
const plan: LabPlan = { ...whole, probes: fromPod };

const asExpected = ({ flow }: Probe): Observation => ({
  kind: 'answered',
  by: flow.to,
  seen: flow.expected,
  milliseconds: 1.25,
});

const observed = (over: Readonly<Partial<Record<Probe['protocol'], Observation>>> = {}) =>
  new Map(plan.probes.map((it) => [it.id, over[it.protocol] ?? asExpected(it)]));

const address = (text: string): number => readAddress(text) ?? 0;

describe('the result of a lab', () => {
  it('is one row per flow when all agree', () => {
    const verdicts = judgeProbes(plan, observed());
    expect(verdicts.map((it) => it.agrees)).toEqual([true, true, true, true]);
    expect(printLab({ plan, verdicts, silent: [] }, plainPaint)).toBe(`\
FROM                     TO                      BY      TCP     UDP     ICMP    FULL MTU
cluster2  10.200.90.151  cluster3  10.61.90.151  direct  1.3 ms  1.3 ms  1.3 ms  1.3 ms

7 namespaces, 1 tunnel, 1 flow: all 4 probes agree with what was compiled
`);
  });

  it('names the flow that differs, with the expected and the observed addresses', () => {
    const lost: Observation = { kind: 'failed', why: 'no answer' };
    const other = { source: address('10.200.90.151'), destination: address('10.200.90.151') };
    const verdicts = judgeProbes(
      plan,
      observed({ tcp: lost, full: lost, icmp: { kind: 'answered', by: 'cluster3', seen: other, milliseconds: 2 } }),
    );
    expect(printLab({ plan, verdicts, silent: ['cluster2/cluster3'] }, plainPaint)).toBe(`\
FROM                     TO                      BY      TCP     UDP     ICMP    FULL MTU
cluster2  10.200.90.151  cluster3  10.61.90.151  direct  FAILED  1.3 ms  FAILED  FAILED

differs: TCP and FULL MTU from 10.200.90.151 in cluster2 to 10.61.90.151
  expected: cluster3 sees 10.61.90.151 at 10.200.90.151
  got:      no answer

differs: ICMP from 10.200.90.151 in cluster2 to 10.61.90.151
  expected: cluster3 sees 10.61.90.151 at 10.200.90.151
  got:      cluster3 sees 10.200.90.151 at 10.200.90.151

no handshake on the tunnel of link cluster2/cluster3: no packet can cross it

7 namespaces, 1 tunnel, 1 flow: 3 of 4 probes differ with what was compiled
`);
  });

  it('differs when another cluster answers, and when nothing was sent', () => {
    const elsewhere = judgeProbes(
      plan,
      observed({ udp: { ...asExpected(fromPod[1] as Probe), by: 'hub' } as Observation }),
    );
    expect(elsewhere.filter((it) => !it.agrees).map((it) => it.got)).toEqual([
      'hub sees 10.61.90.151 at 10.200.90.151',
    ]);
    expect(judgeProbes(plan, new Map()).map((it) => it.got)).toEqual(Array(4).fill('it was not sent'));
  });

  it('names pairs without a probe', () => {
    const unsent = [{ kind: 'unsent', from: 'rome', to: 'turin', fate: 'no-route' } as const];
    const text = printLab(
      { plan: { ...plan, unsent }, verdicts: judgeProbes(plan, observed()), silent: [] },
      plainPaint,
    );
    expect(text).toContain('\nnot sent (no-route): rome -> turin\n');
  });

  it('is a document for machines', () => {
    const [first] = judgeProbes(plan, observed());
    if (!first) throw new Error('there is a probe');
    expect(labDocument({ plan, verdicts: [first], silent: ['a/b'] })).toEqual({
      probes: [
        {
          ...{ from: 'cluster2', to: 'cluster3', hub: null, sender: 'pod', protocol: 'tcp', sizeBytes: 8192 },
          ...{ source: '10.200.90.151', dialled: '10.61.90.151' },
          expected: { source: '10.61.90.151', destination: '10.200.90.151' },
          ...{ agrees: true, milliseconds: 1.25, got: 'cluster3 sees 10.61.90.151 at 10.200.90.151' },
        },
      ],
      unsent: [],
      silentLinks: ['a/b'],
    });
  });
});
