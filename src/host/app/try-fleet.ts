import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { missingKeys } from '../../fleet/keys/missing-keys.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { type LabModel, labScope } from '../../reach/lab/lab-scope.ts';
import { planLab } from '../../reach/lab/plan-lab.ts';
import { type AbandonedLab, abandonedLabs, unrecordedNamespaces } from '../lab-host/lab-record.ts';
import { findParts, type LabParts, thisMachine } from '../lab-host/lab-site.ts';
import { type LabRequest, type LabResult, type OnInterrupt, onStop, removeLab, runLab } from '../lab-host/run-lab.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

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
export function noLinkToTry(states: readonly LabModel[], clusters: readonly string[]): Refusal | undefined {
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
export async function inLab<T>(
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
