import { join } from 'node:path';
import type { JudgedFlow, JudgedStep, Stepped } from '../../answers/report/lab.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { pairOf } from '../../plan/network-state.ts';
import { type Loss, lossesOf } from '../../plan/stages/losses.ts';
import { type LabStep, type MeasuredStep, planSteps } from '../../reach/lab/plan-steps.ts';
import { BETWEEN_CLUSTERS_SECONDS, POD_START_SECONDS, runSteps } from '../lab-host/run-steps.ts';
import { compileTopology, type ReadyTopology, type Unanswered } from './compile-topology.ts';
import { readStages } from './next-stage.ts';
import type { FileReader } from './ports.ts';
import { planFrom } from './stage-change.ts';
import { inLab, type LabPorts, noLinkToTry } from './try-fleet.ts';

interface StepsRequest {
  /** The folder that `weft plan --steps` wrote. */
  readonly folder: string;
  /** One cluster with its peers, or the links between several; empty for the whole fleet. */
  readonly clusters: readonly string[];
}

type TriedSteps =
  | Unanswered
  | { readonly kind: 'stopped' }
  | ({
      readonly kind: 'stepped';
      readonly diagnostics: readonly Diagnostic[];
    } & Stepped);

/** Goes through the states of a change in a lab, and measures what each step loses. */
export async function trySteps(
  ports: LabPorts & { readonly files: FileReader },
  { folder, clusters }: StepsRequest,
): Promise<TriedSteps> {
  const names = (await readStages(ports, folder)).map((it) => it.name);
  if (names.length < 2) return { kind: 'refused', refusal: { kind: 'no-stages', folder } };
  const states: ReadyTopology[] = [];
  for (const name of names) {
    const request = { topology: join(folder, name), lock: undefined };
    const state = await compileTopology(ports.files, request, { only: null });
    if (state.kind !== 'compiled') return state;
    states.push(state);
  }
  const models = states.map((it) => it.compiled.model);
  const named = clusters.find((name) => !models.some((it) => it.clusters.has(name)));
  if (named !== undefined) {
    const known = [...(models[0]?.clusters.keys() ?? [])];
    return { kind: 'refused', refusal: { kind: 'unknown-cluster', name: named, known } };
  }
  const refusal = noLinkToTry(models, clusters);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const steps = planSteps(models, clusters);
  const after = names.slice(1);
  const measured = await inLab(ports, { pcap: null }, (around) => runSteps({ ...around, steps, names: after }));
  if (measured === null) return { kind: 'stopped' };
  return {
    kind: 'stepped',
    diagnostics: states.at(-1)?.diagnostics ?? [],
    added: { podStartSeconds: POD_START_SECONDS, betweenClustersSeconds: BETWEEN_CLUSTERS_SECONDS },
    steps: after.flatMap((name, index) => {
      const [was, is, found] = [states[index], states[index + 1], measured[index]];
      if (was === undefined || is === undefined || found === undefined) return [];
      const losses = lossesOf(planFrom(was.compiled, is.compiled));
      return [{ ...judgeStep(found, losses, steps.steps[index]), name }];
    }),
  };
}

/** Silences of less than this have other causes, such as a busy machine. */
const NOISE_SECONDS = 0.5;

/** Compares the silences of a step with the announced losses, in addition to what the lab itself takes. */
export function judgeStep(
  { flows, ...measured }: MeasuredStep,
  losses: readonly Loss[],
  step: LabStep | undefined,
): Omit<JudgedStep, 'name'> {
  const restart = POD_START_SECONDS + BETWEEN_CLUSTERS_SECONDS * Math.max(0, (step?.waves.length ?? 1) - 1);
  const noise = NOISE_SECONDS + measured.latenessSeconds;
  return {
    ...measured,
    flows: flows.map((it): JudgedFlow => {
      const pair = pairOf(it.flow.from, it.flow.to);
      const { seconds, restarts } = losses.find(({ pairs }) => pairs.includes(pair)) ?? NOTHING;
      const announced = seconds === 0 ? null : { seconds, restarts };
      if (seconds === null) return { ...it, announced, allowedSeconds: null, agrees: true };
      const allowedSeconds = seconds + (restarts ? restart : 0) + noise;
      // A new connection tries again after 1, 3, 7 and 15 seconds, so it may wait for twice as long as packets.
      const forNew = restarts ? allowedSeconds * 2 + 1 : allowedSeconds;
      // The bound of a rewrite is longer than the lab waits for a connection that is not answered.
      const mayWait = announced !== null && !restarts;
      const isShort = it.packets <= allowedSeconds && it.newConnections <= forNew && (mayWait || it.waiting === 0);
      const agrees = isShort && !it.isCut && measured.isSettled;
      return { ...it, announced, allowedSeconds, agrees };
    }),
  };
}

const NOTHING = { seconds: 0, restarts: false };
