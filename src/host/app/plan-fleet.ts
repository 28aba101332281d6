import type { Preflight } from '../../answers/report/plan/plan-tables.ts';
import type { FolderFiles } from '../../base/core/folder-files.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { compile, type RelockTarget } from '../../compile.ts';
import { readAcceptances } from '../../fleet/topology/acceptances.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import type { Declaration } from '../../fleet/topology/declaration.ts';
import type { TopologyDocument } from '../../fleet/topology/parse-topology.ts';
import { demandsOf, plannedAcceptances } from '../../plan/declared-sides.ts';
import type { Demands } from '../../plan/demand.ts';
import type { Difference } from '../../plan/difference.ts';
import { pickedDecisions } from '../../plan/picked-decisions.ts';
import { isEmptyPlan, type Plan, type PlannedAcceptances, planOfSides } from '../../plan/plan-changes.ts';
import { readBothSides } from '../../plan/read-both-sides.ts';
import { type Removal, tooMuchRemoved } from '../../plan/removal-guard.ts';
import {
  type Answered,
  type CompiledTopology,
  compileTopology,
  entryPointsElsewhere,
  isRenamed,
  lostLock,
  ofAnotherFleet,
  type ReadyTopology,
  refuseDuplicateFleet,
  refuseOut,
  type TopologyRequest,
} from './compile-topology.ts';
import type { FileReader, OutputTree } from './ports.ts';
import { type Base, filesInBase, headState, openBase, openLastCommit, readBase, readBaseFacts } from './read-base.ts';
import { parseTopologyAt } from './topology-files.ts';

export interface PlanRequest extends TopologyRequest {
  readonly relock?: readonly RelockTarget[];
  /** The folder of the bundles. */
  readonly out: string;
  /** The base of the plan. */
  readonly base: Base;
  readonly allowDestroy: boolean;
  /** The share of the clusters, and of the links, that may be removed. */
  readonly maxRemoved: number;
}

type PlanResult = Exclude<CompiledTopology, ReadyTopology> | PlannedFleet;

export interface PlannedFleet extends Answered<'planned'> {
  readonly topology: ReadyTopology;
  readonly plan: Plan;
  /** Removals that exceed the limit of the request. */
  readonly removals: readonly Removal[];
  /** Errors for which `weft compile` writes nothing. The removals may be their cause. */
  readonly broken: readonly Diagnostic[];
  readonly sides: PlannedSides;
  /** `null` for a plan that starts from files. */
  readonly live: Preflight | null;
}

/** The files that a plan has compared, with paths below the folder of the bundles. */
interface PlannedSides {
  readonly before: FolderFiles;
  readonly after: FolderFiles;
}

/** The functions that a plan needs to read the disk. */
export interface PlanPorts {
  readonly files: FileReader;
  readonly tree: Pick<OutputTree, 'contentOf'>;
}

/** Plans the changes of compiling the topology, and the flows that they break. Writes nothing. */
export async function planFleet({ files, tree }: PlanPorts, request: PlanRequest): Promise<PlanResult> {
  const { relock = [], out, base } = request;
  const topology = await compileTopology(files, request, planSettings(request));
  if (topology.kind !== 'compiled') return topology;
  const refusal =
    entryPointsElsewhere(files, topology, out) ??
    refuseOut(tree, topology, out) ??
    (await refuseDuplicateFleet({ files, tree }, topology, out));
  if (refusal !== undefined) return { kind: 'refused', files: topology.files, refusal };
  const before = await readBase(files, { base, out, topology });
  const another = ofAnotherFleet(topology, out, before.addresses === null ? [] : [before.addresses.topology]);
  if (another !== undefined) return { kind: 'refused', files: topology.files, refusal: another };
  const after = headState(topology.compiled) ?? bug('the plan cannot read what compile emits');
  const sides = readBothSides(before, after);
  const found = { found: before.files, isCurrent: sides.files.length === 0 };
  const known = before.known ?? (await readBaseFacts(files, { base, out, topology }, found));
  const baseline = await baselineTopology(files, base, topology);
  const plan = planOfSides(
    { ...sides, before: { ...sides.before, known } },
    {
      acceptances: planAcceptances(baseline, topology),
      demands:
        baseline === undefined
          ? null
          : planDemands(baseline, before.addresses === null, topology.compiled.inputs.declaration),
      picked: base.kind === 'out' ? [] : pickedIn(topology, before.lock, request),
    },
  );
  const compared = { before: before.files, after: after.files };
  const judged = judgePlan(topology, plan, request);
  // Facts are known of a topology that was compiled because its base has no bundles.
  const hasBundles = before.addresses !== null && before.known === null;
  const isLost = hasBundles && !isEmptyPlan(plan) && !request.allowDestroy;
  const removals = [...(isLost ? lostLock(topology, relock) : []), ...judged.removals];
  return { kind: 'planned', ...judged, removals, plan, sides: compared, live: null };
}

/** The decisions of the present lock that a compile would not make. A lock without new decisions costs no compile. */
function pickedIn({ sources }: ReadyTopology, base: string | null, request: PlanRequest): readonly Picked[] {
  const { lock } = sources;
  if (lock === undefined) return [];
  return pickedDecisions(lock.text, base, (text) => {
    const start = { ...sources, lock: text === null ? undefined : { ...lock, text } };
    const compiled = compile(start, { ...planSettings(request), relock: [], only: [] });
    return compiled.ok ? compiled.value.lock : null;
  });
}

type Picked = Difference<'decision-picked'>;

/** A plan is made whatever is broken: what prevents a compile is reported beside it. */
export const planSettings = ({ relock = [], allowDestroy }: Pick<PlanRequest, 'relock' | 'allowDestroy'>) => ({
  relock,
  only: null,
  allowReplacements: allowDestroy,
  despiteVerdicts: true,
});

/**
 * Judges a plan, causes before effects: consequences of another name, or of keys that only the keys file has lost, are
 * left out.
 */
export function judgePlan(
  topology: ReadyTopology,
  plan: Plan,
  request: Pick<PlanRequest, 'relock' | 'allowDestroy' | 'maxRemoved'>,
): Pick<PlannedFleet, 'topology' | 'diagnostics' | 'removals' | 'broken'> {
  const removals = request.allowDestroy || isRenamed(topology.verdicts) ? [] : tooMuchRemoved(plan, request.maxRemoved);
  const lost = removals.flatMap(({ what, gone }) => (what === 'keys' || what === 'authentication' ? gone : []));
  const judged = lost.length === 0 ? topology : withLostKeys(topology, lost, request);
  const broken = judged.verdicts.filter((it) => it.severity === 'error');
  return { topology: judged, diagnostics: judged.diagnostics, removals, broken };
}

function withLostKeys(
  topology: ReadyTopology,
  lost: Removal['gone'],
  request: Pick<PlanRequest, 'relock' | 'allowDestroy'>,
): ReadyTopology {
  const options = { ...planSettings(request), only: [], lostKeys: new Set(lost.map((it) => it.join('/'))) };
  const judged = compile(topology.sources, options);
  if (judged.ok) return { ...topology, diagnostics: judged.diagnostics, verdicts: [] };
  const { diagnostics } = compile(topology.sources, { ...options, withoutAssertions: true });
  return { ...topology, diagnostics, verdicts: judged.diagnostics };
}

/**
 * The topology of the base, for `out/` that of the last commit; `null` when it is missing or cannot be read,
 * `undefined` without a commit.
 */
async function baselineTopology(
  files: FileReader,
  base: Base,
  topology: ReadyTopology,
): Promise<TopologyDocument | null | undefined> {
  const reader = base.kind === 'out' ? await openLastCommit(files) : await openBase(files, base);
  if (reader === undefined) return undefined;
  const { topology: path } = await filesInBase(files, reader, topology);
  return (await parseTopologyAt(reader, path)) ?? null;
}

/**
 * The diagnostics that a topology accepts, and the ones among them that the topology of the base did not accept.
 *
 * @param baseline the topology of the base; `null` when it is missing or has errors: then it accepted nothing; `undefined`
 * without a base
 */
function planAcceptances(
  baseline: TopologyDocument | null | undefined,
  { compiled, diagnostics }: ReadyTopology,
): PlannedAcceptances {
  const { acceptances } = compiled.inputs.declaration;
  const before = baseline === undefined ? acceptances : baseline === null ? [] : readAcceptances(baseline.reading);
  return plannedAcceptances(before, { acceptances, diagnostics });
}

/**
 * The demands of the topology of a base, and those of the present topology.
 *
 * @param baseline the topology of the base; `null` when it is missing or cannot be read
 * @param isFirst true when the base has no bundles either: then there were no demands
 */
function planDemands(baseline: TopologyDocument | null, isFirst: boolean, now: Declaration): Demands {
  const declared = baseline && checkTopology(baseline);
  return {
    before: declared?.ok ? demandsOf(declared.value) : isFirst ? [] : null,
    after: demandsOf(now),
  };
}
