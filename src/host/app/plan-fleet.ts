import type { FolderFiles } from '../../base/core/folder-files.ts';
import { bug } from '../../base/diagnostics/bug.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { RelockTarget } from '../../compile.ts';
import type { TopologyDocument } from '../../fleet/topology/topology-document.ts';
import { type Plan, planOfSides } from '../../plan/plan-changes.ts';
import { readBothSides } from '../../plan/read-both-sides.ts';
import { type Removal, tooMuchRemoved } from '../../plan/removal-guard.ts';
import {
  type CompiledTopology,
  compileTopology,
  type ReadyTopology,
  type TopologyRequest,
} from './compile-topology.ts';
import { entryPointsElsewhere } from './entry-points-elsewhere.ts';
import { type Base, openBase, openLastCommit } from './open-base.ts';
import { parseTopologyAt } from './parse-topology-at.ts';
import { planAcceptances } from './plan-acceptances.ts';
import { planDemands } from './plan-demands.ts';
import type { FileReader, OutputTree } from './ports.ts';
import { headState, readBase } from './read-base.ts';
import { readBaseFacts } from './read-base-facts.ts';
import { ofAnotherFleet, refuseOut } from './refuse-out.ts';
import { refuseTwin } from './refuse-twin.ts';

export interface PlanRequest extends TopologyRequest {
  readonly relock?: readonly RelockTarget[];
  /** Folder of the bundles. */
  readonly out: string;
  /** The base of the plan. */
  readonly base: Base;
  readonly allowDestroy: boolean;
  /** Share of the clusters, and of the links, that may be removed. */
  readonly maxRemoved: number;
}

type PlanResult = Exclude<CompiledTopology, ReadyTopology> | PlannedFleet;

export interface PlannedFleet {
  readonly kind: 'planned';
  /** The diagnostics of the topology. */
  readonly diagnostics: readonly Diagnostic[];
  readonly topology: ReadyTopology;
  readonly plan: Plan;
  /** More clusters or links would be removed than the request allows. */
  readonly removals: readonly Removal[];
  readonly sides: PlannedSides;
}

/** The files that a plan has compared, by their paths below the folder of the bundles. */
export interface PlannedSides {
  readonly before: FolderFiles;
  readonly after: FolderFiles;
}

/** What a plan needs of the disk. */
export interface PlanPorts {
  readonly files: FileReader;
  readonly tree: Pick<OutputTree, 'contentOf'>;
}

/** What compiling the topology would change, and what that breaks. Writes nothing. */
export async function planFleet({ files, tree }: PlanPorts, request: PlanRequest): Promise<PlanResult> {
  const { relock = [], out, base } = request;
  const topology = await compileTopology(files, request, { relock, only: null });
  if (topology.kind !== 'compiled') return topology;
  const refusal =
    entryPointsElsewhere(files, topology, out) ??
    refuseOut(tree, topology, out) ??
    (await refuseTwin(files, topology, out));
  if (refusal !== undefined) return { kind: 'refused', files: topology.files, refusal };
  const before = await readBase(files, { base, out, topology });
  const another = ofAnotherFleet(topology, out, before.addresses === null ? [] : [before.addresses.topology]);
  if (another !== undefined) return { kind: 'refused', files: topology.files, refusal: another };
  const after = headState(topology.compiled) ?? bug('the plan cannot read what compile emits');
  const sides = readBothSides(before, after);
  const found = { found: before.files, isCurrent: sides.files.length === 0 };
  const known = before.known ?? (await readBaseFacts(files, { base, out, topology }, found));
  const then = await topologyThen(files, base, topology.files.topology);
  const plan = planOfSides(
    { ...sides, before: { ...sides.before, known } },
    {
      acceptances: planAcceptances(then, topology),
      demands:
        then === undefined ? null : planDemands(then, before.addresses === null, topology.compiled.inputs.declaration),
    },
  );
  const removals = request.allowDestroy ? [] : tooMuchRemoved(plan, request.maxRemoved);
  const compared = { before: before.files, after: after.files };
  return { kind: 'planned', diagnostics: topology.diagnostics, topology, plan, removals, sides: compared };
}

/** What a base says beside its files: for `out/` the last commit. `null` without a readable topology, `undefined` without a commit. */
async function topologyThen(files: FileReader, base: Base, path: string): Promise<TopologyDocument | null | undefined> {
  const reader = base.kind === 'out' ? await openLastCommit(files) : await openBase(files, base);
  return reader && ((await parseTopologyAt(reader, path)) ?? null);
}
