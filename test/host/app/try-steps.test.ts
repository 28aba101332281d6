import { describe, expect, it } from 'vitest';
import { judgeStep } from '../../../src/host/app/try-fleet.ts';
import type { Loss } from '../../../src/plan/stages/losses.ts';
import type { MeasuredFlow } from '../../../src/reach/lab/plan-steps.ts';
import { rotation } from '../lab-host/changes.ts';
import { stepsOf } from '../lab-host/lab-steps-support.ts';

/** A step of two waves, so that a restart has 3 s in addition. */
const step = stepsOf(rotation()).steps.steps.at(-1);
const flow = step?.flows.find((it) => it.from === 'milan' && it.to === 'europe');
if (flow === undefined) throw new Error('no flow');

const QUIET: MeasuredFlow = { flow, packets: 0.1, connection: 0.1, newConnections: 0.1, waiting: 0, isCut: false };

const loss = (seconds: number | null, restarts: boolean): readonly Loss[] => [
  { seconds, restarts, pairs: ['europe/milan'] },
];

describe('what a step lost agrees with what it announces', () => {
  it.each<[string, readonly Loss[], Partial<MeasuredFlow>, boolean]>([
    ['nothing, and nothing is announced', [], {}, true],
    ['a moment of a busy machine', [], { packets: 0.55 }, true],
    ['more than that', [], { packets: 0.7 }, false],
    ['a new connection that had to try again', [], { newConnections: 1 }, false],
    ['a connection that is not answered', [], { waiting: 1 }, false],
    ['a cut connection', [], { isCut: true }, false],
    [
      'nothing between this pair, but between others',
      [{ ...loss(6, true)[0], pairs: ['asia/rome'] } as Loss],
      { packets: 1 },
      false,
    ],
    ['a restart within its bound', loss(6, true), { packets: 9.5, connection: 20, newConnections: 15 }, true],
    ['a restart beyond its bound', loss(6, true), { packets: 9.7 }, false],
    ['a new connection after the silence', loss(6, true), { packets: 5, newConnections: 21 }, false],
    ['a connection that does not outlive a restart', loss(6, true), { isCut: true }, false],
    ['a rewrite that a new connection noticed', loss(136, false), { waiting: 2 }, true],
    ['anything without a bound', loss(null, false), { packets: 80, isCut: true, waiting: 3 }, true],
  ])('%s: %#', (_, losses, measured, agrees) => {
    const found = { flows: [{ ...QUIET, ...measured }], latenessSeconds: 0.1, isSettled: true };
    expect(judgeStep(found, losses, step).flows.map((it) => it.agrees)).toEqual([agrees]);
  });

  it('nothing agrees when some flow was silent until the end', () => {
    const found = { flows: [QUIET], latenessSeconds: 0, isSettled: false };
    expect(judgeStep(found, [], step).flows.map((it) => it.agrees)).toEqual([false]);
  });
});
