import type { JudgedFlow } from '../../../src/answers/report/lab.ts';
import { compile, type Sources } from '../../../src/compile.ts';
import { stagesBetween } from '../../../src/host/app/stage-change.ts';
import { judgeStep } from '../../../src/host/app/try-fleet.ts';
import { runSteps } from '../../../src/host/lab-host/run-steps.ts';
import { type Loss, lossesOf } from '../../../src/plan/stages/losses.ts';
import { type LabSteps, type MeasuredStep, planSteps } from '../../../src/reach/lab/plan-steps.ts';
import { keysOf, publicKeyFor } from '../../support/keys-of.ts';
import { aroundLab } from './lab-support.ts';

const FILES = {
  topology: 'topologies/topology.yaml',
  keys: 'topologies/topology.keys.yaml',
  identities: 'topologies/topology.identities.yaml',
  lock: 'topologies/topology.lock.yaml',
  byDefault: true,
};

/** A fleet before and after a change; `rotated` has gateways whose next key is in use afterwards. */
export interface Change {
  readonly before: string;
  readonly after: string;
  readonly rotated?: readonly (readonly [cluster: string, peer: string])[];
}

function sideOf(text: string, lock: string | undefined, rotated: NonNullable<Change['rotated']>) {
  const topology = { path: FILES.topology, text };
  let keys = keysOf(topology)?.text ?? '';
  for (const [cluster, peer] of rotated) {
    const next = JSON.stringify(publicKeyFor(cluster, `${peer}-next`));
    keys = keys.replace(JSON.stringify(publicKeyFor(cluster, peer)), () => `{ key: ${next}, generation: 2 }`);
  }
  const sources: Sources = {
    topology,
    keys: { path: FILES.keys, text: keys },
    lock: lock === undefined ? undefined : { path: FILES.lock, text: lock },
  };
  const compiled = compile(sources, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  return { sources, compiled: compiled.value };
}

export interface StepsOfChange {
  readonly names: readonly string[];
  readonly steps: LabSteps;
  /** The losses that the plan of each step announces. */
  readonly losses: readonly (readonly Loss[])[];
  /** Judges what was measured by what the plan of each step announces. */
  readonly judge: (measured: readonly MeasuredStep[]) => readonly (readonly JudgedFlow[])[];
}

/** The states of a change, as a lab goes through them. */
export function stepsOf({ before, after, rotated = [] }: Change): StepsOfChange {
  const base = sideOf(before, undefined, []);
  const wanted = sideOf(after, base.compiled.lock, rotated);
  const { stages } = stagesBetween({ base, wanted }, FILES);
  const states = [base.compiled, ...stages.map((it) => it.compiled)];
  const steps = planSteps(
    states.map((it) => it.model),
    [],
  );
  const losses = stages.map(({ plan }) => lossesOf(plan));
  const judge: StepsOfChange['judge'] = (measured) =>
    measured.map((it, index) => judgeStep(it, losses[index] ?? [], steps.steps[index]).flows);
  return { names: stages.map((it) => it.name), steps, losses, judge };
}

export const carryOutSteps = ({ steps, names }: Pick<StepsOfChange, 'steps' | 'names'>) =>
  runSteps({ ...aroundLab(), steps, names });
