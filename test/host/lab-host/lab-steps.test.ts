import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JudgedFlow } from '../../../src/answers/report/lab.ts';
import type { LabStep } from '../../../src/reach/lab/plan-steps.ts';
import { nightly, RUNS_ALL } from '../../support/drawn.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { CHANGES, rotation } from './changes.ts';
import { type Change, carryOutSteps, stepsOf } from './lab-steps-support.ts';
import { labsOnMachine, startWeft, whyNoLab } from './lab-support.ts';

const reason = whyNoLab();

const longest = (flows: readonly JudgedFlow[]): number => Math.max(0, ...flows.map((it) => it.packets));

const described = ({ flow, packets, connection, newConnections, waiting, isCut, announced }: JudgedFlow): string =>
  `${flow.from} to ${flow.to} ${flow.hub === null ? '' : `through ${flow.hub} `}lost ${packets.toFixed(1)} s (connection ${isCut ? 'ended' : connection.toFixed(1)}, new ones ${newConnections.toFixed(1)}, ${waiting} wait), announced ${JSON.stringify(announced)}`;

async function measured(change: Change, alter = (it: LabStep): LabStep => it) {
  const planned = stepsOf(change);
  const steps = { ...planned.steps, steps: planned.steps.steps.map(alter) };
  const found = await carryOutSteps({ ...planned, steps });
  return planned.names.map((name, index) => {
    const flows = planned.judge(found)[index] ?? [];
    return { name, flows, settled: found[index]?.isSettled, late: found[index]?.latenessSeconds };
  });
}

/** The usual topology, whose hub gets another MTU. */
const stepsOfTopology = () =>
  withKeysFiles({
    'steps/0-base/topology.yaml': TOPOLOGY,
    'steps/1-finish/topology.yaml': TOPOLOGY.replace(
      'gateway: 203.0.113.10',
      'gateway: { addresses: [203.0.113.10], mtu: 1300 }',
    ),
  });

// A push measures one change, of few clusters and still with a hub; each night measures all of them once, in about ten minutes.
const CASES = CHANGES.filter(
  ({ fleet, what }) => RUNS_ALL || (fleet === 'load balancers, one key of a link' && what === 'mtu'),
);

describe.skipIf(reason !== null)(`a change while traffic flows (${reason ?? 'in this kernel'})`, () => {
  it.each(CASES)('$fleet, $what: loses no more than it announces', async (change) => {
    const steps = await measured(change);
    for (const { name, flows, settled, late = 0 } of steps) {
      const worst = [...flows].sort((a, b) => b.packets - a.packets)[0];
      if (RUNS_ALL || process.env['WEFT_SHOW'])
        process.stdout.write(
          `${change.fleet}, ${change.what}, ${name}: ${worst === undefined ? 'no flow' : described(worst)}, ${flows.reduce((sum, it) => sum + it.waiting, 0)} wait in all, late ${late.toFixed(2)} s\n`,
        );
      expect([name, settled, flows.filter((it) => !it.agrees).map(described)]).toEqual([name, true, []]);
    }
    expect(steps.flatMap((it) => it.flows).length).toBeGreaterThan(0);
  });

  nightly('loses more in the wrong order: the client has to try again', async () => {
    const right = (await measured(rotation())).at(-1);
    const wrong = (await measured(rotation(), (it) => ({ ...it, waves: it.waves.toReversed() }))).at(-1);
    const [inOrder, reversed] = [longest(right?.flows ?? []), longest(wrong?.flows ?? [])];
    process.stdout.write(`servers first ${inOrder.toFixed(1)} s, clients first ${reversed.toFixed(1)} s\n`);
    expect(reversed).toBeGreaterThan(inOrder + 2);
  });

  nightly('loses everything when a client gets another key than its server expects', async () => {
    const planned = stepsOf(rotation());
    const steps = planned.steps.steps.map((it) => ({ ...it, waves: it.waves.slice(0, 1) }));
    const found = await carryOutSteps({ ...planned, steps: { ...planned.steps, steps } });
    expect(found.at(-1)?.isSettled).toBe(false);
    expect(
      planned
        .judge(found)
        .at(-1)
        ?.some((it) => !it.agrees),
    ).toBe(true);
  });

  nightly('is measured by the command, with nothing of a key in its answer', async () => {
    const { weft } = workspace(stepsOfTopology());
    await weft('lab', '--clean');
    const before = labsOnMachine();
    const { code, stdout } = await weft('lab', '--steps', 'steps', '--cluster', 'rome', '-o', 'json', '--quiet');
    const { ok, steps, added } = JSON.parse(stdout) as {
      readonly ok: boolean;
      readonly steps: readonly {
        readonly name: string;
        readonly flows: readonly { readonly packetsSeconds: number }[];
      }[];
      readonly added: object;
    };
    expect({ code, ok, added }).toEqual({
      code: 0,
      ok: true,
      added: { podStartSeconds: 2, betweenClustersSeconds: 1 },
    });
    expect(steps.map((it) => it.name)).toEqual(['1-finish']);
    expect(Math.max(...(steps[0]?.flows.map((it) => it.packetsSeconds) ?? []))).toBeGreaterThan(2);
    expect(stdout).not.toMatch(/[A-Za-z0-9+/]{43}=/);
    expect(labsOnMachine()).toEqual(before);
  });

  nightly('is removed when it is interrupted while pods start', async () => {
    await startWeft(['lab', '--clean']).ended;
    const before = labsOnMachine();
    const { folder } = workspace(stepsOfTopology());
    const started = startWeft(['lab', '--quiet', '--steps', join(folder, 'steps')]);
    while (labsOnMachine().length === before.length) await sleep(20);
    await sleep(6500);
    started.kill('SIGINT');
    expect((await started.ended).status).toBe(130);
    for (let tries = 0; tries < 100 && labsOnMachine().length > before.length; tries += 1) await sleep(20);
    expect(labsOnMachine()).toEqual(before);
  });
});
