import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { missingKeys } from '../../fleet/keys/missing-keys.ts';
import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { labScope } from '../../reach/lab/lab-scope.ts';
import { planLab } from '../../reach/lab/plan-lab.ts';
import { type AbandonedLab, abandonedLabs, unrecordedNamespaces } from '../lab-host/lab-record.ts';
import { findParts, type LabParts, thisMachine } from '../lab-host/lab-site.ts';
import { removeLab } from '../lab-host/remove-lab.ts';
import { type LabResult, type OnInterrupt, onStop, runLab } from '../lab-host/run-lab.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

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
  const scope = labScope(topology.compiled.model, clusters);
  if (scope.links.length === 0) {
    const keyless = missingKeys(topology.compiled.model, clusters.length === 0 ? null : clusters).length > 0;
    return { kind: 'refused', refusal: { kind: 'no-link-to-try', clusters, keyless } };
  }
  const plan = planLab(scope);
  const parts = partsOf(ports, request);
  await removeLabs(ports, parts, (it) => !it.kept);
  const { keep, pcap } = request;
  const { onStep } = ports;
  const result = await runUnlessStopped(ports, ({ env, signal }) =>
    runLab({ plan, parts, keep, pcap, onStep, env, signal }),
  );
  if (result === null) return { kind: 'stopped' };
  return { kind: 'tried', diagnostics: topology.diagnostics, plan, result };
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

export async function removeLabs(
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

/** Runs a lab until the user stops it; `null` then. */
export async function runUnlessStopped<T>(
  { env, onInterrupt }: LabPorts,
  run: (around: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal }) => Promise<T>,
): Promise<T | null> {
  const stop = new AbortController();
  const forget = onStop(onInterrupt, () => stop.abort());
  try {
    // Programs that stay up with a kept lab get no tokens from the environment.
    return await run({ env: { PATH: env['PATH'] ?? '' }, signal: stop.signal });
  } catch (error) {
    // A failure after an interrupt is a consequence of it.
    if (stop.signal.aborted) return null;
    throw error;
  } finally {
    forget();
  }
}
