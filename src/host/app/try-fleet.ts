import { join } from 'node:path';
import type { JudgedFlow, JudgedStep, Stepped } from '../../answers/report/lab.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { missingKeys } from '../../fleet/keys/missing-keys.ts';
import { pairOf } from '../../plan/network-state.ts';
import { type Loss, lossesOf } from '../../plan/stages/losses.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { type LabModel, labScope } from '../../reach/lab/lab-scope.ts';
import { planLab } from '../../reach/lab/plan-lab.ts';
import { type LabStep, type MeasuredStep, planSteps } from '../../reach/lab/plan-steps.ts';
import { type AbandonedLab, abandonedLabs, unrecordedNamespaces } from '../lab-host/lab-record.ts';
import { findParts, type LabParts, thisMachine } from '../lab-host/lab-site.ts';
import { type LabRequest, type LabResult, type OnInterrupt, onStop, removeLab, runLab } from '../lab-host/run-lab.ts';
import { BETWEEN_CLUSTERS_SECONDS, POD_START_SECONDS, runSteps } from '../lab-host/run-steps.ts';
import { compileTopology, type ReadyTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { planFrom, readStages } from './stage-change.ts';

interface TryRequest extends TopologyRequest {
  /** One cluster with its peers, or the links between several; empty for the whole fleet. */
  readonly clusters: readonly string[];
  /** True to keep the lab after a success. */
  readonly keep: boolean;
  /** The absolute path of a folder for recorded packets; `null` to record nothing. */
  readonly pcap: string | null;
}

/** The functions that a lab needs from its process. */
export interface LabPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onInterrupt: OnInterrupt;
  readonly onStep: (label: string) => void;
  /** Called after each lab of an earlier run is removed. */
  readonly onRemoved: (lab: AbandonedLab) => Promise<void>;
}

type TryResult =
  | Unanswered
  /** The user has interrupted the run. */
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'tried';
      readonly diagnostics: readonly Diagnostic[];
      readonly plan: LabPlan;
      readonly result: LabResult;
    };

/** Builds the compiled fleet, or a part of it, from network namespaces on this machine and sends real traffic. */
export async function tryFleet(
  ports: LabPorts & { readonly files: FileReader },
  request: TryRequest,
): Promise<TryResult> {
  const { clusters } = request;
  const topology = await compileTopology(ports.files, request, { only: [], clusters });
  if (topology.kind !== 'compiled') return topology;
  const { model } = topology.compiled;
  const refusal = noLinkToTry([model], clusters);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const plan = planLab(labScope(model, clusters));
  const { keep, pcap } = request;
  const result = await inLab(ports, request, (around) => runLab({ ...around, plan, keep, pcap }));
  if (result === null) return { kind: 'stopped' };
  return { kind: 'tried', diagnostics: topology.diagnostics, plan, result };
}

/** Refuses a lab that has no link in any of its states. */
function noLinkToTry(states: readonly LabModel[], clusters: readonly string[]): Refusal | undefined {
  if (states.some((it) => labScope(it, clusters).links.length > 0)) return undefined;
  const keyless = states.some((it) => missingKeys(it, clusters.length === 0 ? null : clusters).length > 0);
  return { kind: 'no-link-to-try', clusters, keyless };
}

interface RemovedLabs {
  readonly count: number;
  /** Namespaces with the name pattern of a lab that are in no record; they are kept. */
  readonly unrecorded: readonly string[];
}

/** Removes all labs that were kept or killed. */
export async function removeAllLabs(ports: LabPorts, request: Pick<TryRequest, 'pcap'>): Promise<RemovedLabs> {
  const count = await removeLabs(ports, partsOf(ports, request), () => true);
  return { count, unrecorded: await unrecordedNamespaces() };
}

const partsOf = ({ env }: LabPorts, { pcap }: Pick<TryRequest, 'pcap'>): LabParts =>
  findParts(thisMachine(env['PATH']), { pcap: pcap !== null });

async function removeLabs(
  { onRemoved }: LabPorts,
  { ip }: LabParts,
  isSelected: (it: AbandonedLab) => boolean,
): Promise<number> {
  const labs = (await abandonedLabs()).filter(isSelected);
  for (const it of labs) {
    await removeLab(ip, it.run);
    await onRemoved(it);
  }
  return labs.length;
}

/** Removes labs that were killed, and runs one until the user stops it; `null` then. */
async function inLab<T>(
  ports: LabPorts,
  request: Pick<TryRequest, 'pcap'>,
  run: (around: Pick<LabRequest, 'parts' | 'env' | 'signal' | 'onStep'>) => Promise<T>,
): Promise<T | null> {
  const { env, onInterrupt, onStep } = ports;
  const parts = partsOf(ports, request);
  await removeLabs(ports, parts, (it) => !it.kept);
  const stop = new AbortController();
  const forget = onStop(onInterrupt, () => stop.abort());
  try {
    // Programs that stay up with a kept lab get no tokens from the environment.
    return await run({ parts, env: { PATH: env['PATH'] ?? '' }, signal: stop.signal, onStep });
  } catch (error) {
    // A failure after an interrupt is a consequence of it.
    if (stop.signal.aborted) return null;
    throw error;
  } finally {
    forget();
  }
}

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
