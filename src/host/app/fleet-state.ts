import { join } from 'node:path';
import type { ComparedBundles, InGit } from '../../answers/report/print-state.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { missingAuthentication, missingKeys } from '../../fleet/keys/missing-keys.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { MAX_REMOVED } from '../../plan/removal-guard.ts';
import { compileFleet, fleetsOf } from './compile-fleet.ts';
import { agingDiagnostics, compileTopology, type ReadyTopology } from './compile-topology.ts';
import { schemaNotes } from './editor-schema.ts';
import { findTopology, topologiesOfFleet } from './find-topology.ts';
import { OUT, type Ports } from './ports.ts';
import { OperationRefused, type Refusal } from './refusal.ts';

interface StateRequest {
  /** The folder of the fleet; empty for the working folder. */
  readonly folder: string;
  /** Its default topology, or its folder of topologies. */
  readonly topology: string;
  /** Milliseconds since 1970, for certificates that expire. */
  readonly now: number;
}

export type FleetState = { readonly inGit: InGit } & (
  | /** The topology that commands take, and others that they do not take. */
  { readonly kind: 'one'; readonly topology: TopologyState; readonly others: readonly string[] }
  /** No topology is the default (`taken`), or each has bundles in a folder of its own. */
  | { readonly kind: 'several'; readonly topologies: readonly TopologyState[]; readonly taken: string | null }
);

/** A topology, and whether its bundles and its lock are current. */
interface TopologyState {
  readonly topology: string;
  /** The folder of its bundles. */
  readonly out: string;
  /** Those that `weft validate` reports. */
  readonly diagnostics: readonly Diagnostic[];
  /** `null` when it has errors. */
  readonly fleet: FleetFacts | null;
}

interface FleetFacts {
  readonly model: SharedModel;
  readonly keyless: { readonly gateways: number; readonly consumers: number };
  readonly hasLock: boolean;
  readonly disk: DiskState;
}

/** The comparison with the disk, or why there is none. */
type DiskState = { readonly kind: 'refused'; readonly refusal: Refusal } | ComparedBundles;

/** The state of the fleet in a folder. Nothing is written. Refuses a folder without a topology. */
export async function fleetState(ports: Ports, request: StateRequest): Promise<FleetState> {
  const { folder } = request;
  const out = join(folder, OUT);
  const all = await topologiesOfFleet(ports.files, folder);
  const taken = await defaultOf(ports, request);
  const isAlone = taken !== undefined && (all.length < 2 || ports.tree.contentOf(out).kind !== 'several');
  if (isAlone) {
    const topology = await topologyState(ports, { topology: taken, out, now: request.now });
    return { kind: 'one', topology, others: all.filter((it) => it !== taken), inGit: await inGit(ports, folder) };
  }
  const topologies: TopologyState[] = [];
  const named = folder === '' ? undefined : request.topology;
  for (const it of await fleetsOf(ports, { folder: named, out }))
    topologies.push(await topologyState(ports, { ...it, now: request.now }));
  return { kind: 'several', topologies, taken: taken ?? null, inGit: await inGit(ports, folder) };
}

async function inGit({ files }: Ports, folder: string): Promise<InGit> {
  if (files.folderInRepository(folder) === undefined) return 'absent';
  return (await files.hasUncommitted(folder)) ? 'changed' : 'committed';
}

/** The topology that commands take; `undefined` if one must be named. */
async function defaultOf({ files }: Ports, { folder, topology }: StateRequest): Promise<string | undefined> {
  try {
    return (await findTopology(files, folder === '' ? undefined : topology, undefined)).topology;
  } catch (error) {
    if (error instanceof OperationRefused && error.refusal.kind === 'several-topologies') return undefined;
    throw error;
  }
}

interface Place extends Pick<StateRequest, 'now'> {
  readonly topology: string;
  readonly out: string;
}

async function topologyState(ports: Ports, { topology, out, now }: Place): Promise<TopologyState> {
  const place = { topology, out };
  const checked = await compileFleet(ports, { ...CHECK, topology, out });
  switch (checked.kind) {
    case 'refused': {
      const ready = await compileTopology(ports.files, { topology, lock: undefined }, { only: [] });
      if (ready.kind === 'refused') throw new OperationRefused(ready.refusal);
      const disk = { kind: 'refused', refusal: checked.refusal } as const;
      return ready.kind === 'errors'
        ? { ...place, diagnostics: ready.diagnostics, fleet: null }
        : { ...place, ...(await factsOf(ports, ready, { disk, now })) };
    }
    case 'compared': {
      const [fleet] = checked.fleets;
      if (fleet === undefined) return bug('a topology is compared');
      const { lockChanged, created, changed, removed, keptEdited, unchanged, changedRecords } = fleet.tree;
      const [toWrite, toRemove] = [created.length + changed.length, removed.length + keptEdited.length];
      const isCurrent = toWrite + toRemove + changedRecords.length === 0;
      const isNew = created.length > 0 && changed.length + toRemove + unchanged === 0;
      const disk = { kind: 'compared', lockChanged, isCurrent, isNew, toWrite, toRemove } as const;
      return { ...place, ...(await factsOf(ports, fleet.topology, { disk, now })) };
    }
    default:
      return { ...place, diagnostics: checked.diagnostics, fleet: null };
  }
}

/** The settings of `weft compile --check`. */
const CHECK = {
  mode: 'check',
  all: false,
  lock: undefined,
  only: null,
  relock: [],
  verify: false,
  frozenLock: false,
  allowEmpty: false,
  allowDestroy: false,
  maxRemoved: MAX_REMOVED,
} as const;

async function factsOf(
  { files }: Ports,
  ready: ReadyTopology,
  { disk, now }: { readonly disk: DiskState; readonly now: number },
): Promise<Pick<TopologyState, 'diagnostics' | 'fleet'>> {
  const { model } = ready.compiled;
  const keyless = {
    gateways: missingKeys(model, null).length,
    consumers: missingAuthentication(model, null).length,
  };
  const notes = await schemaNotes(files, ready.sources.topology);
  return {
    diagnostics: [...notes, ...ready.diagnostics, ...agingDiagnostics(ready, now)],
    fleet: { model, keyless, hasLock: ready.sources.lock !== undefined, disk },
  };
}
