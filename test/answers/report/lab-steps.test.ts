import { describe, expect, it } from 'vitest';
import { labStepsAnswer } from '../../../src/answers/report/lab.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import type { Flow } from '../../../src/reach/lab/lab-plan.ts';

const flow: Flow = {
  kind: 'flow',
  from: 'rome',
  to: 'milan',
  hub: null,
  sender: 'pod',
  source: 1,
  dialled: 2,
  expected: { source: 1, destination: 2 },
  refused: [],
  mtuBytes: 1340,
};

const QUIET = { flow, packets: 0.08, connection: 0.1, newConnections: 0.01, waiting: 0, isCut: false, agrees: true };

const ADDED = { podStartSeconds: 2, betweenClustersSeconds: 1 };

const LOOK = { paint: plainPaint, verbose: false, quiet: false };

describe('weft lab --steps', () => {
  it('prints a row a flow, and marks those that lost more than announced', () => {
    const restart = { seconds: 6, restarts: true };
    const flows = [
      { ...QUIET, announced: null, allowedSeconds: 0.5 },
      { ...QUIET, flow: { ...flow, hub: 'europe' }, packets: 3.1, announced: restart, allowedSeconds: 9.5 },
      {
        ...QUIET,
        isCut: true,
        waiting: 2,
        announced: { seconds: 136, restarts: false },
        allowedSeconds: 136.5,
        agrees: false,
      },
      { ...QUIET, announced: { seconds: null, restarts: false }, allowedSeconds: null },
    ];
    const steps = [
      { name: '1-add', flows, latenessSeconds: 0.4, isSettled: false },
      { name: '2-finish', flows: [], latenessSeconds: 0, isSettled: true },
    ];
    expect(labStepsAnswer.text({ steps, added: ADDED }, LOOK)).toBe(`1-add
FROM  TO     BY      PACKETS  CONNECTION  NEW CONNECTION  ANNOUNCED
rome  milan  direct  0.1 s    0.1 s       0.0 s           none
rome  milan  europe  3.1 s    0.1 s       0.0 s           6 s and the start of a pod
rome  milan  direct  0.1 s    ended       2 still wait    136 s if begun in that moment  MORE
rome  milan  direct  0.1 s    0.1 s       0.0 s           until it is made again
some flow was silent until the end
this machine was busy: up to 0.4 s are its own

2-finish
no flow has the same addresses before and after

The longest silence of each flow. A pod starts in 2 s here, and a cluster is applied 1 s after those that serve it: neither is in what is announced.
1 of 4 flows lost more than announced
`);
  });

  it('says in one line that all is as announced', () => {
    const steps = [
      {
        name: '1-finish',
        flows: [{ ...QUIET, announced: null, allowedSeconds: 0.5 }],
        latenessSeconds: 0,
        isSettled: true,
      },
    ];
    expect(labStepsAnswer.text({ steps, added: ADDED }, LOOK)).toMatch(/\n1 flow lost no more than announced\n$/);
  });
});
