import { basename, dirname, join, relative } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { parseLockKey } from '../../base/core/lock-key.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, bug, outcome } from '../../base/diagnostics/outcome.ts';
import { readDocument } from '../../base/source/read-document.ts';
import type { Source } from '../../base/source/source.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { printKeysFile } from '../../fleet/keys/keys-file.ts';
import { type NextDecisions, parseLock, printLock } from '../../fleet/lock/lock.ts';
import { type Plan, planOfSides } from '../../plan/plan-changes.ts';
import { readBothSides } from '../../plan/read-both-sides.ts';
import {
  BASE_STAGE,
  type DraftStage,
  draftStages,
  type StageKind,
  type StageSide,
} from '../../plan/stages/draft-stages.ts';
import { verifyBundle } from '../../proof/verify/verify-bundle.ts';
import {
  type CompiledTopology,
  compileTopology,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { recordedKeys } from './deliver-secrets.ts';
import { lookAt } from './drift-fleet.ts';
import type { TopologyFiles } from './find-topology.ts';
import { compileForLive, type LiveRequest } from './live-sources.ts';
import type { FileReader, LivePorts } from './ports.ts';
import { type Base, baselineSources, filesInBase, headState, openBase, openLastCommit } from './read-base.ts';

interface StageRequest extends TopologyRequest {
  /** The base of the change; `out` for the last commit. */
  readonly base: Base;
}

/** A state of the repository on the way to the wanted one. */
interface Stage {
  /** Number and kind: `1-add`. */
  readonly name: string;
  readonly kind: StageKind;
  /** The topology and what is beside it, by path below the folder of the topology. */
  readonly files: ReadonlyMap<string, string>;
  readonly compiled: Compiled;
  /** From the state before to this one. */
  readonly plan: Plan;
}

/** A state that would be needed in between, and is no topology by itself. */
interface LeftOut {
  readonly kind: Exclude<StageKind, 'finish'>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface StagedChange {
  readonly kind: 'staged';
  readonly files: TopologyFiles;
  /** The files of the base, as those of a state. */
  readonly base: ReadonlyMap<string, string>;
  readonly stages: readonly Stage[];
  readonly leftOut: readonly LeftOut[];
}

type StageResult = Exclude<CompiledTopology, ReadyTopology> | StagedChange;

/** The git states between a base and the topology on disk. Each compiles and verifies by itself. Writes nothing. */
export async function stageChange(files: FileReader, request: StageRequest): Promise<StageResult> {
  const wanted = await compileTopology(files, request, { only: null });
  if (wanted.kind !== 'compiled') return wanted;
  const reader = request.base.kind === 'out' ? await openLastCommit(files) : await openBase(files, request.base);
  const sources = reader && (await baselineSources(reader, await filesInBase(files, reader, wanted)));
  if (sources === undefined) return { kind: 'refused', files: wanted.files, refusal: { kind: 'no-base-topology' } };
  const base = compile(sources, { relock: [], only: null, withoutAssertions: true });
  if (!base.ok) return { kind: 'errors', files: wanted.files, diagnostics: base.diagnostics };
  const sides = { base: { sources, compiled: base.value }, wanted };
  const start = textsOf(sides.base, wanted.files);
  return { kind: 'staged', files: wanted.files, base: start, ...stagesBetween(sides, wanted.files) };
}

/** The states between two topologies that are compiled. */
export function stagesBetween(
  sides: Pick<StageSides, 'base' | 'wanted'>,
  files: TopologyFiles,
): Pick<StagedChange, 'stages' | 'leftOut'> {
  const drafts = draftStages(stageSide(sides.base), stageSide(sides.wanted));
  const stages: Stage[] = [];
  const leftOut: LeftOut[] = [];
  let before = sides.base.compiled;
  for (const draft of drafts) {
    const state = compileStage(draft, { ...sides, lock: before.lock });
    if ('diagnostics' in state) {
      const { kind } = draft;
      if (kind === 'finish') bug('the wanted topology compiles no more, with its own lock');
      leftOut.push({ kind, diagnostics: state.diagnostics });
      continue;
    }
    const plan = planFrom(before, state.compiled);
    const name = `${stages.length + 1}-${draft.kind}`;
    stages.push({ name, kind: draft.kind, files: textsOf(state, files), compiled: state.compiled, plan });
    before = state.compiled;
  }
  return { stages, leftOut };
}

interface Side {
  readonly sources: Sources;
  readonly compiled: Compiled;
}

function stageSide({ sources, compiled }: Side): StageSide {
  const { model, inputs } = compiled;
  const files = [sources.topology, ...(sources.included ?? [])].map((it) => {
    const read = readDocument(it, { language: 'yaml' });
    return read.ok ? { path: it.path, text: it.text, root: read.root } : bug(`${it.path} was compiled, and is no YAML`);
  });
  return {
    files,
    declaration: inputs.declaration,
    links: model.links,
    hubsOf: new Map([...model.clusters.values()].map((it) => [it.name, it.hubs])),
    keys: recordedKeys(compiled).gateways,
  };
}

interface StageSides {
  readonly base: Side;
  readonly wanted: Side;
  /** The lock of the state before. */
  readonly lock: string;
}

/**
 * A state, with the decisions of the wanted lock about everything that is new, as far as they go together with those of
 * the state before, which are in use. The last state has the wanted lock if nothing new has room beside those.
 */
function compileStage(
  draft: DraftStage,
  { base, wanted, lock }: StageSides,
): Side | { readonly diagnostics: readonly Diagnostic[] } {
  const side = draft.from === 'base' ? base : wanted;
  const { topology, included = [], keys } = side.sources;
  const edited = (source: Source): Source => ({ ...source, text: draft.texts.get(source.path) ?? source.text });
  const path = wanted.sources.lock?.path ?? base.sources.lock?.path ?? `${topology.path}.lock`;
  const start = {
    ...side.sources,
    topology: edited(topology),
    ...(included.length === 0 ? {} : { included: included.map(edited) }),
    keys: keys && { ...keys, text: keysTextOf(draft, side, keys.text) },
  };
  const locks = draft.from === 'base' ? [lock] : [joinedLocks(lock, wanted.compiled.lock, topology.path), lock];
  if (draft.kind === 'finish') locks.push(wanted.compiled.lock);
  let diagnostics: readonly Diagnostic[] = [];
  for (const text of locks) {
    const sources = { ...start, lock: { path, text } };
    const compiled = compile(sources, { relock: [], only: null });
    const verified = andThen(compiled, (it) => {
      const found = verifyBundle({ files: it.bundle, root: 'out', sources: it.inputs, compiled: it.bundle });
      return outcome(it, found);
    });
    if (verified.ok) return { sources, compiled: verified.value };
    diagnostics = verified.diagnostics.filter((it) => it.severity === 'error');
  }
  return { diagnostics };
}

function keysTextOf({ keys }: DraftStage, { compiled }: Side, text: string): string {
  const recorded = recordedKeys(compiled);
  const is = printKeysFile({ ...recorded, gateways: keys });
  return is === printKeysFile(recorded) ? text : is;
}

/** The decisions of both locks; where they differ, those that are in use. */
function joinedLocks(inUse: string, wanted: string, topology: string): string {
  const decisions: NextDecisions[] = [wanted, inUse].map((text) => {
    const read = parseLock({ path: 'lock', text });
    return new Map(read.ok ? [...read.value.decisions].map(([key, it]) => [key, it.value]) : []);
  });
  return printLock(topology.split(/[\\/]/).at(-1) ?? topology, new Map(decisions.flatMap((it) => [...it])));
}

/** The plan between two states. */
export function planFrom(before: Compiled, after: Compiled): Plan {
  const states = [before, after].map((it) => headState(it) ?? bug('the plan cannot read what compile emits'));
  const [from, to] = states as [(typeof states)[number], (typeof states)[number]];
  return planOfSides(readBothSides(from, to));
}

/** The files of a state, as they are in the folder of the topology. */
function textsOf({ sources, compiled }: Side, files: TopologyFiles): ReadonlyMap<string, string> {
  const folder = dirname(files.topology);
  const { topology, included = [], keys, identities } = sources;
  const all = [topology, ...included, keys, identities].flatMap((it) => (it === undefined ? [] : [it]));
  const texts = all.map((it) => [relative(folder, it.path).replaceAll('\\', '/'), it.text] as const);
  return new Map([...texts, [relative(folder, files.lock).replaceAll('\\', '/'), compiled.lock]]);
}

interface NextStageRequest extends TopologyRequest, LiveRequest {
  /** The folder that `weft plan --steps` has written. */
  readonly folder: string;
  /** The folder of the bundles. */
  readonly out: string;
}

/** The place of a change in states, and the next state if it may go on. */
export type NextStage =
  /** The topology is the last state. */
  | { readonly kind: 'finished'; readonly stage: string }
  /** Clusters are not as the present state has them, or were not read. */
  | {
      readonly kind: 'not-arrived';
      readonly stage: string;
      readonly differing: readonly string[];
      readonly unread: readonly string[];
    }
  /** The files of the next state, by path, which are to replace those beside the topology. */
  | { readonly kind: 'next'; readonly from: string; readonly to: string; readonly files: ReadonlyMap<string, string> };

type NextStageResult = Unanswered | NextStage;

/**
 * Finds the state that the topology is in, and returns the next one if all clusters are as that state has them. The
 * position is in git alone: it is the state whose files equal those of the topology, apart from nudges.
 */
export async function nextStage(ports: LivePorts, request: NextStageRequest): Promise<NextStageResult> {
  const topology = await compileForLive(ports.files, request);
  if (topology.kind !== 'compiled') return topology;
  const stages = await readStages(ports, request.folder);
  if (stages.length < 2) return { kind: 'refused', refusal: { kind: 'no-stages', folder: request.folder } };
  const index = await presentStage(ports, topology.files, stages);
  const [present, next] = [stages[index], stages[index + 1]];
  if (present === undefined)
    return {
      kind: 'refused',
      refusal: { kind: 'not-a-stage', topology: topology.files.topology, folder: request.folder },
    };
  if (next === undefined) return { kind: 'finished', stage: present.name };
  const drift = await lookAt(ports, request, topology);
  if (drift.kind !== 'compared') return drift;
  const { model, lock } = topology.compiled;
  const differing = drift.clusters.filter(({ rollout }) => rollout.state !== 'same').map((it) => it.drift.cluster);
  const unread = drift.others.filter((it) => model.clusters.get(it)?.retired === false);
  if (differing.length + unread.length > 0) return { kind: 'not-arrived', stage: present.name, differing, unread };
  const { topology: path, lock: lockPath } = topology.files;
  const files = new Map([...next.files].map(([name, text]) => [join(dirname(path), name), text]));
  const nextLock = files.get(lockPath);
  if (nextLock !== undefined) files.set(lockPath, withNudgesOf(lock, nextLock, basename(path)));
  return { kind: 'next', from: present.name, to: next.name, files };
}

interface WrittenStage {
  readonly name: string;
  /** By path below the folder of the topology. */
  readonly files: ReadonlyMap<string, string>;
}

/** The states in a folder, in the order of their numbers. */
export async function readStages(
  { files }: Pick<LivePorts, 'files'>,
  folder: string,
): Promise<readonly WrittenStage[]> {
  const read = await files.readFolder(folder, (path) => STAGE.test(path));
  if (read.kind !== 'read') return [];
  return read.files.folders
    .filter((it) => STAGE.test(`${it}/`))
    .map((name) => ({
      name,
      files: new Map([...read.files.inFolder(name)].map(([path, text]) => [path.slice(name.length + 1), text])),
    }))
    .sort((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10));
}

const STAGE = /^[0-9]{1,3}-[a-z]+\//;

/** The last state whose files are those of the topology; -1 for none. The lock of the base may be a later one. */
async function presentStage(
  { files }: Pick<LivePorts, 'files'>,
  { topology, lock }: TopologyFiles,
  stages: readonly WrittenStage[],
): Promise<number> {
  const folder = dirname(topology);
  const isThere = async (path: string, text: string): Promise<boolean> => {
    const target = join(folder, path);
    const read = await files.readText(target);
    if (read.kind !== 'ok') return false;
    const [is, wanted] = [withLf(read.text), withLf(text)];
    return target === lock ? withoutNudges(is) === withoutNudges(wanted) : is === wanted;
  };
  for (const [index, stage] of [...stages.entries()].reverse()) {
    const compared = [...stage.files].filter(([path]) => stage.name !== BASE_STAGE || join(folder, path) !== lock);
    const equal = await Promise.all(compared.map(([path, text]) => isThere(path, text)));
    if (equal.every((it) => it)) return index;
  }
  return -1;
}

/** A lock without the lines that `weft compile --nudge` may change in the middle of a change: no address depends on them. */
const withoutNudges = (lock: string): string => lock.replace(/^ {2}\S+\/nudge: \d+\n/gm, '');

/** The next lock with the nudges of the present one: without them, the links would be nudged again. */
function withNudgesOf(present: string, next: string, topology: string): string {
  const [was, is] = [present, next].map((text) => {
    const read = parseLock({ path: 'lock', text });
    return read.ok ? [...read.value.decisions].map(([key, { value }]) => [key, value] as const) : [];
  });
  const nudges = (was ?? []).filter(([key]) => parseLockKey(key)?.kind === 'nudge');
  return nudges.length === 0 ? next : printLock(topology, new Map([...(is ?? []), ...nudges]));
}
