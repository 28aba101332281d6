import { basename, join } from 'node:path';
import { type BundlePath, isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { inOrder } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { RelockTarget } from '../../compile.ts';
import { exceeds, type Removal } from '../../plan/removal-guard.ts';
import type { Inspection, TreeDifference } from '../disk/tree/inspect-tree.ts';
import type { TreeRequest, TreeResult } from '../disk/tree/write-tree.ts';
import {
  type CompiledTopology,
  type CompileMemory,
  compileFiles,
  entryPointsElsewhere,
  lostLock,
  type ReadyTopology,
  refuseDuplicateFleet,
  refuseOut,
  sameEntryPoint,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { findAllTopologies, findTopology, type TopologyFiles } from './find-topology.ts';
import {
  type Destination,
  emptiedClusters,
  refuseKeysBehind,
  refuseLostKeys,
  refuseMovedKeys,
  removedClusters,
} from './losses.ts';
import { type PlanPorts, type PlanRequest, planFleet } from './plan-fleet.ts';
import type { FileReader, Ports } from './ports.ts';
import { OperationRefused, type Refusal } from './refusal.ts';
import { inShard, type Shard } from './shard.ts';
import { fleetNameAt } from './topology-files.ts';

export interface CompileRequest extends TopologyRequest, Destination {
  /** True to compile every topology of a folder, each into its own folder. */
  readonly all: boolean;
  readonly relock: readonly RelockTarget[];
  /** Links whose client end is to connect again. */
  readonly nudge?: readonly RelockTarget[];
  /** The part of the bundles that is written or compared; absent for all. */
  readonly shard?: Shard | null;
  readonly mode: 'write' | 'check';
  /** `check`: also verify the promises of files that were edited by hand. */
  readonly verify: boolean;
  readonly memory?: CompileMemory;
  /** `write`: refuse to change the lock. */
  readonly frozenLock: boolean;
  /** `write`: allow an empty bundle to replace a full one. */
  readonly allowEmpty: boolean;
  /** True when gateways may lose their keys. */
  readonly allowDestroy: boolean;
  /** The share of the clusters, and of the links, that may be removed. */
  readonly maxRemoved: number;
}

export type CompileResult =
  | Unanswered
  /** A topology has errors, and nothing was written. */
  | { readonly kind: 'failed'; readonly diagnostics: readonly Diagnostic[]; readonly fleets: readonly [] }
  | { readonly kind: 'written'; readonly diagnostics: readonly Diagnostic[]; readonly fleets: readonly WrittenFleet[] }
  | {
      readonly kind: 'compared';
      readonly diagnostics: readonly Diagnostic[];
      readonly fleets: readonly ComparedFleet[];
    };

/** One topology of a run, and the destination of its bundles. */
interface FinishedFleet extends Destination {
  readonly topology: ReadyTopology;
}

interface WrittenFleet extends FinishedFleet {
  readonly tree: Extract<TreeResult, { kind: 'written' }>;
  /** Clusters that are no longer in the topology and whose folders were removed. */
  readonly gone: readonly string[];
  /** True when there were bundles but no lock: then all addresses were decided again. */
  readonly lockWasLost: boolean;
  /** Files that are no longer generated but were edited by hand, so they are kept. */
  readonly keptFiles: readonly string[];
}

interface ComparedFleet extends FinishedFleet {
  readonly tree: Extract<TreeDifference, { kind: 'compared' }>;
  /** Clusters that are no longer in the topology and whose folders would be removed. */
  readonly gone: readonly string[];
  /** The files that `write` would change; empty when all are current. */
  readonly differences: readonly FileDifference[];
}

interface FileDifference {
  readonly change: 'add' | 'change' | 'remove';
  readonly path: string;
}

/** Compiles one topology or several, then writes their bundles and locks, or compares them with those on disk. */
export async function compileFleet(ports: Ports, request: CompileRequest): Promise<CompileResult> {
  ports.progress({ kind: 'compiling' });
  const topologies = await compileAll(ports.files, request);
  const refused = topologies.find((it) => it.kind === 'refused');
  if (refused !== undefined) return refused;
  const compiled = topologies.filter((it) => it.kind === 'compiled');
  const ready = compiled.filter((it) => it.verdicts.length === 0);
  const diagnostics = topologies.flatMap((it) => {
    if (it.kind === 'refused') return [];
    return it.kind === 'compiled' && it.verdicts.length > 0 ? it.verdicts : it.diagnostics;
  });
  for (const it of compiled) {
    const lost = ready.includes(it) ? undefined : await refuseKeysBehind(ports, it, request);
    if (lost !== undefined) return { kind: 'refused', refusal: lost };
  }
  // If one topology has errors nothing is written, so that the topologies stay consistent.
  if (ready.length < topologies.length) return { kind: 'failed', diagnostics, fleets: [] };
  const eachHasItsOwn = haveFoldersOfTheirOwn(ports, request, ready);
  const whole = ready.map((topology) => ({ topology, ...destination(request, topology, eachHasItsOwn) }));
  const { shard } = request;
  const fleets = shard ? await Promise.all(whole.map((it) => inShard(ports.files, it, shard))) : whole;
  const elsewhere = fleets.map((it) => entryPointsElsewhere(ports.files, it.topology, it.out));
  const places = fleets.map((it) => refuseOut(ports.tree, it.topology, it.out));
  const duplicates = await Promise.all(fleets.map((it) => refuseDuplicateFleet(ports, it.topology, it.out)));
  const above = eachHasItsOwn ? bundlesAbove(ports, request.out) : undefined;
  const all = [sameFleetName(ready), above, sameEntryPoint(ready), ...elsewhere, ...places, ...duplicates];
  const refusal = all.find((it) => it !== undefined);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  return request.mode === 'check'
    ? compareAll(ports, request, { fleets, diagnostics })
    : writeAll(ports, request, { fleets, diagnostics });
}

/** The files of the topologies that a request names. */
export const topologiesOf = async (
  files: FileReader,
  { all, topology, lock }: Pick<CompileRequest, 'all' | 'topology' | 'lock'>,
): Promise<readonly TopologyFiles[]> =>
  all ? findAllTopologies(files, topology) : [await findTopology(files, topology, lock)];

async function compileAll(files: FileReader, request: CompileRequest): Promise<readonly CompiledTopology[]> {
  const compiled: CompiledTopology[] = [];
  for (const it of await topologiesOf(files, request)) {
    const allowReplacements = request.allowDestroy;
    const topology = await compileFiles(files, it, { ...request, allowReplacements, despiteVerdicts: true });
    compiled.push(topology);
    if (topology.kind === 'refused') break;
  }
  return compiled;
}

const fleetOf = ({ compiled }: ReadyTopology): string => compiled.model.fleet.name;

/**
 * True when each topology gets its own folder, named after its fleet: with several topologies, and with `all` when the
 * folder already contains several fleets.
 */
const haveFoldersOfTheirOwn = (
  { tree }: Ports,
  { all, out }: CompileRequest,
  ready: readonly ReadyTopology[],
): boolean => ready.length > 1 || (all && tree.contentOf(out).kind === 'several');

const destination = ({ out, only }: CompileRequest, it: ReadyTopology, hasItsOwn: boolean): Destination => ({
  out: hasItsOwn ? join(out, fleetOf(it)) : out,
  only,
});

/** A topology of several, and where its bundles are. */
interface FleetPlace extends Pick<TopologyFiles, 'topology' | 'byDefault'> {
  readonly name: string;
  readonly out: string;
}

/** Every topology of a folder, with the folder of its bundles, without compiling them. */
export async function fleetsOf(
  { files, tree }: { readonly files: FileReader; readonly tree: Pick<Ports['tree'], 'contentOf'> },
  { folder, out }: { readonly folder: string | undefined; readonly out: string },
): Promise<readonly FleetPlace[]> {
  const topologies = await findAllTopologies(files, folder);
  const haveTheirOwn = topologies.length > 1 || tree.contentOf(out).kind === 'several';
  const fleets = topologies.map(async ({ topology, byDefault }) => {
    // A topology with errors gets no bundles, so its folder does not matter.
    const name = (await fleetNameAt(files, topology)) ?? basename(topology, '.yaml');
    return { topology, byDefault, name, out: haveTheirOwn ? join(out, name) : out };
  });
  const found = await Promise.all(fleets);
  const twice = found.find((it, i) => found.findIndex((other) => other.name === it.name) !== i);
  if (twice === undefined) return found;
  const same = found.filter((it) => it.name === twice.name).map((it) => it.topology);
  throw new OperationRefused({ kind: 'same-fleet-name', fleet: twice.name, topologies: same });
}

/** Refuses bundles from before there were several topologies. They would still be applied but never compiled again. */
function bundlesAbove({ tree }: Ports, out: string): Refusal | undefined {
  const content = tree.contentOf(out);
  return content.kind === 'bundles' ? { kind: 'bundles-above-fleets', out, fleets: content.fleets } : undefined;
}

function sameFleetName(ready: readonly ReadyTopology[]): Refusal | undefined {
  const names = ready.map(fleetOf);
  const fleet = names.find((it, i) => names.indexOf(it) !== i);
  if (fleet === undefined) return undefined;
  const topologies = ready.filter((it) => fleetOf(it) === fleet).map((it) => it.files.topology);
  return { kind: 'same-fleet-name', fleet, topologies };
}

interface Compiled {
  readonly fleets: readonly FinishedFleet[];
  readonly diagnostics: readonly Diagnostic[];
}

async function compareAll(ports: Ports, request: CompileRequest, compiled: Compiled): Promise<CompileResult> {
  const fleets: ComparedFleet[] = [];
  const broken: (readonly Diagnostic[])[] = [];
  for (const it of compiled.fleets) {
    ports.progress({ kind: 'comparing', out: it.out });
    const tree = await ports.tree.compare({
      ...treeRequest(it.topology, it),
      ...stepsOf(ports, 'comparing', it.out),
    });
    if (tree.kind === 'refused') return inTheWay(tree);
    const written = { ...it, changed: tree.changed };
    const refusal =
      (await refuseLostKeys(ports.files, request, written)) ?? (await refuseMovedKeys(ports.files, request, written));
    if (refusal !== undefined) return { kind: 'refused', refusal };
    const isLost = !request.allowDestroy && tree.changed.length + tree.removed.length > 0;
    const removals = isLost ? lostLock(it.topology, request.relock) : [];
    if (removals.length > 0)
      return { kind: 'refused', refusal: { kind: 'too-much-would-be-removed', removals, undone: 'written' } };
    fleets.push({ ...it, tree, gone: goneFrom(it, tree), differences: differencesOf(it, tree) });
    // A promise concerns two clusters, so the folder of one is not enough.
    if (!request.verify || it.only !== null) continue;
    const differing = tree.isCurrent ? [] : [tree.created, tree.changed, tree.removed, tree.keptEdited].flat();
    // Few runs verify, so the modules are loaded on demand.
    const { verifyEdited } = await import('./verify-fleet.ts');
    broken.push(await verifyEdited(ports, it.topology.compiled, { out: it.out, differing }));
  }
  return { kind: 'compared', diagnostics: [...compiled.diagnostics, ...broken.flat()], fleets };
}

const goneFrom = (
  { topology }: FinishedFleet,
  { removed }: { readonly removed: readonly string[] },
): readonly string[] => removedClusters(topology.compiled.model, removed);

function differencesOf({ topology, out }: FinishedFleet, tree: ComparedFleet['tree']): readonly FileDifference[] {
  if (tree.isCurrent) return [];
  const below = (change: FileDifference['change'], paths: readonly string[]): readonly FileDifference[] =>
    paths.map((path) => ({ change, path: join(out, path) }));
  return [
    ...(tree.lockChanged ? [{ change: 'change', path: topology.files.lock } as const] : []),
    ...below('add', tree.created),
    ...below('change', tree.changed),
    ...below('remove', [...tree.removed, ...tree.keptEdited]),
    ...below('change', tree.changedRecords),
  ];
}

async function writeAll(ports: Ports, request: CompileRequest, compiled: Compiled): Promise<CompileResult> {
  const fleets: WrittenFleet[] = [];
  for (const it of compiled.fleets) {
    ports.progress({ kind: 'writing', out: it.out });
    const empty = await wouldBeEmpty(ports, it);
    const refusal = lockWouldChange(request, it) ?? (request.allowEmpty ? undefined : empty);
    if (refusal !== undefined) return { kind: 'refused', refusal };
    const isIntended = request.allowDestroy || empty !== undefined;
    let notAllowed: Refusal | undefined;
    const wanted = { ...treeRequest(it.topology, it), ...stepsOf(ports, 'writing', it.out) };
    const tree = await ports.tree.write(wanted, async (found) => {
      const written = { ...it, changed: found.placements.flatMap(({ path, isNew }) => (isNew ? [] : [path])) };
      const isLost = !isIntended && written.changed.length + found.removals.length > 0;
      const removals = isIntended
        ? []
        : [
            ...(isLost ? lostLock(it.topology, request.relock) : []),
            ...(await removalsOfCompile(ports, { ...request, ...it, found })),
          ];
      notAllowed =
        (await refuseLostKeys(ports.files, request, written)) ??
        (removals.length > 0
          ? { kind: 'too-much-would-be-removed', removals, undone: 'written' }
          : await refuseMovedKeys(ports.files, request, written));
      return notAllowed === undefined;
    });
    if (tree.kind === 'not-allowed')
      return { kind: 'refused', refusal: notAllowed ?? bug('a refused write has a reason') };
    if (tree.kind === 'refused') return inTheWay(tree);
    if (tree.kind === 'busy')
      return { kind: 'refused', refusal: { kind: 'tree-busy', out: it.out, holder: tree.holder } };
    const hadBundles = tree.changed.length + tree.removed.length + tree.unchanged > 0;
    fleets.push({
      ...it,
      tree,
      gone: goneFrom(it, tree),
      lockWasLost: it.topology.sources.lock === undefined && hadBundles,
      keptFiles: tree.keptEdited.map((path) => join(it.out, path)),
    });
  }
  return { kind: 'written', diagnostics: compiled.diagnostics, fleets };
}

const stepsOf = (
  { progress }: Ports,
  kind: 'comparing' | 'writing',
  out: string,
): Pick<TreeRequest, 'onFolder' | 'onStop'> => ({
  onFolder: (...share) => progress({ kind, out, share }),
  onStop: (tree) => progress({ kind: 'stopped', out, tree }),
});

function lockWouldChange({ frozenLock }: CompileRequest, { topology }: FinishedFleet): Refusal | undefined {
  const { files, sources, compiled } = topology;
  const before = sources.lock?.text;
  if (!frozenLock || before === compiled.lock) return undefined;
  return { kind: 'lock-would-change', lock: files.lock, before, after: compiled.lock };
}

/** Refuses to empty a full bundle, of a cluster or of the whole fleet, without --allow-empty. */
async function wouldBeEmpty(ports: Ports, it: FinishedFleet): Promise<Refusal | undefined> {
  const { topology, out } = it;
  if (topology.compiled.model.clusters.size > 0) {
    const clusters = await emptiedClusters(ports.files, topology.compiled, it);
    return clusters.length === 0 ? undefined : { kind: 'clusters-would-be-empty', clusters, out };
  }
  const found = await ports.tree.compare(treeRequest(topology, it));
  const files = found.kind === 'compared' ? found.removed.length : 0;
  return files === 0 ? undefined : { kind: 'fleet-would-be-empty', topology: topology.files.topology, out, files };
}

const inTheWay = ({ problems }: Extract<TreeResult, { kind: 'refused' }>): CompileResult => ({
  kind: 'refused',
  refusal: { kind: 'tree-blocked', problems },
});

/** The files of a compiled topology on disk; with `only`, just the folders of these clusters. */
export const treeRequest = (
  { files, sources, compiled }: ReadyTopology,
  { out, only, alsoCovers = [] }: Destination,
): TreeRequest => ({
  root: out,
  files: compiled.bundle,
  scope: only && [...only, ...alsoCovers],
  lockFile: { path: files.lock, text: compiled.lock, before: sources.lock?.text ?? null },
});

/**
 * The removals of a compile that exceed the limit of a plan. The removed and changed files quickly show that most edits
 * are harmless. Only for the others the plan is made, which separates a renamed cluster from a removed one, and finds the
 * namespaces of providers whose volumes would be deleted. Without a readable state before, the files decide.
 */
async function removalsOfCompile(ports: PlanPorts, compile: CompileToJudge): Promise<readonly Removal[]> {
  const { topology, relock = [], out, maxRemoved } = compile;
  const removed = removedFiles(compile).filter((it) => exceeds(it, maxRemoved));
  const isShared = changesSharing(compile);
  if (removed.length === 0 && !isShared) return [];
  const byFiles = [...removed, ...withdrawnFiles(compile)];
  try {
    const { lock, topology: path } = topology.files;
    const base = { kind: 'out' } as const;
    const planned = await planFleet(ports, {
      topology: path,
      lock,
      relock,
      out,
      base,
      allowDestroy: false,
      maxRemoved,
    });
    if (planned.kind !== 'planned') return byFiles;
    // Compile checks lost and moved keys separately.
    const ofFiles: readonly Removal['what'][] = removed.length > 0 ? ['clusters', 'links'] : [];
    const ofSharing: readonly Removal['what'][] = isShared ? ['namespaces', 'links-of-loans'] : [];
    return planned.removals.filter((it) => [...ofFiles, ...ofSharing].includes(it.what));
  } catch (error) {
    if (error instanceof OperationRefused) return byFiles;
    throw error;
  }
}

interface CompileToJudge extends Pick<PlanRequest, 'relock' | 'out' | 'maxRemoved'> {
  readonly topology: ReadyTopology;
  /** The changes that compile would make on disk. */
  readonly found: Inspection;
}

/** True when existing files about shared resources would be changed or removed. */
function changesSharing({ found }: CompileToJudge): boolean {
  const changed = found.placements.filter((it) => !it.isNew).map((it) => it.path);
  return placesOf([...changed, ...found.removals]).some(
    (it) => (it.part === 'sharing' || it.part === 'offloading') && !isKustomization(it),
  );
}

/** Namespaces whose files would be removed. The files of providers show which ones contain several namespaces. */
function withdrawnFiles({ found }: CompileToJudge): readonly Removal[] {
  const gone = placesOf(found.removals).flatMap((it) =>
    it.part === 'offloading' && !isKustomization(it) ? [[it.name, `the providers of ${it.cluster}`]] : [],
  );
  return gone.length === 0 ? [] : [{ what: 'namespaces', gone, of: gone.length }];
}

/** Clusters and links whose files would be removed, and how many had files before. */
function removedFiles({ topology, found }: CompileToJudge): readonly Removal[] {
  if (found.removals.length === 0) return [];
  const { model, bundle } = topology.compiled;
  const created = new Set(found.placements.filter((it) => it.isNew).map((it) => it.path));
  const removed = placesOf(found.removals);
  const stay = placesOf([...bundle.keys()].filter((it) => !created.has(it)));
  const retired = [...model.clusters.values()].filter((it) => it.retired).map((it) => it.name);
  const gone = new Set([
    ...clustersIn(removed),
    ...retired.filter((it) => removed.some((place) => isPeerOf(it, place))),
  ]);
  const links = linksIn(removed);
  return [
    { what: 'clusters', gone: [...gone].map((it) => [it]), of: new Set([...gone, ...clustersIn(stay)]).size },
    { what: 'links', gone: [...links.values()], of: new Set([...links.keys(), ...linksIn(stay).keys()]).size },
  ];
}

const placesOf = (paths: readonly string[]): readonly BundlePath[] => paths.flatMap((it) => parseBundlePath(it) ?? []);

const clustersIn = (places: readonly BundlePath[]): readonly string[] =>
  places.flatMap((it) => (it.part === 'kustomization' ? [it.cluster] : []));

const isPeerOf = (cluster: string, place: BundlePath): boolean => place.part === 'peer' && place.cluster === cluster;

/** The two ends of each link that has manifests among these files. */
const linksIn = (places: readonly BundlePath[]): ReadonlyMap<string, readonly [string, string]> =>
  new Map(
    places.flatMap((it) => {
      if (it.part !== 'peer' || it.file !== 'manifests') return [];
      const ends = inOrder(it.cluster, it.peer);
      return [[ends.join('/'), ends] as const];
    }),
  );
