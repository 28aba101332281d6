import { dirname, join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import { parseHeader } from '../../base/core/generated-files.ts';
import { EVERY_CLUSTER } from '../../base/core/lock-key.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Compiled, type CompileOptions, compile, type RelockTarget, type Sources } from '../../compile.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { oldKeys } from '../../fleet/keys/old-keys.ts';
import { endingCertificates } from '../../live/identities/ending-certificates.ts';
import type { Removal } from '../../plan/removal-guard.ts';
import type { OutContent } from '../disk/tree/known-files.ts';
import { findTopology, type TopologyFiles } from './find-topology.ts';
import type { FileReader, OutputTree } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { readSources } from './topology-files.ts';

/** The topology of a request, common to all use cases. */
export interface TopologyRequest {
  /** A file, or a folder with one; `undefined` for the default topology. */
  readonly topology: string | undefined;
  /** The path of the lock; `undefined` for the one beside the topology. */
  readonly lock: string | undefined;
}

/** One topology, read and compiled. Nothing is written. */
export type CompiledTopology =
  | { readonly kind: 'errors'; readonly files: TopologyFiles; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'refused'; readonly files: TopologyFiles; readonly refusal: Refusal }
  | ReadyTopology;

/** The result of a use case that cannot begin. */
export type Unanswered =
  | { readonly kind: 'errors'; readonly diagnostics: readonly Diagnostic[] }
  /** A dump of a cluster cannot be read, or it is not clear of which cluster it is. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The answer of a use case. */
export interface Answered<Kind extends string> {
  readonly kind: Kind;
  readonly diagnostics: readonly Diagnostic[];
}

/** A topology without errors. */
export interface ReadyTopology extends Answered<'compiled'> {
  readonly files: TopologyFiles;
  readonly sources: Sources;
  readonly compiled: Compiled;
  /**
   * Why it may not be written although it can be planned: assertions that do not hold, or renames without a
   * declaration, with the warnings about the same; empty without `despiteVerdicts`.
   */
  readonly verdicts: readonly Diagnostic[];
}

/** The caches of a process that compiles repeatedly. */
export type CompileMemory = Pick<CompileOptions, 'readers' | 'emit' | 'lockOf'>;

interface CompileSettings {
  /** The clusters whose bundles are compiled; `null` for all. */
  readonly only: readonly string[] | null;
  readonly relock?: readonly RelockTarget[];
  /** Links whose client end is to connect again. */
  readonly nudge?: readonly RelockTarget[];
  /** Further clusters that must exist. */
  readonly clusters?: readonly string[];
  /** Further links that must exist, or all links of a cluster. */
  readonly links?: readonly RelockTarget[];
  readonly withoutAssertions?: boolean;
  readonly allowReplacements?: boolean;
  /** Assertions that do not hold, and renames without a declaration, are in `verdicts`; by default they are errors. */
  readonly despiteVerdicts?: boolean;
  readonly memory?: CompileMemory;
}

/** Finds, reads and compiles a topology: the first step of every use case. */
export const compileTopology = async (
  files: FileReader,
  { topology, lock }: TopologyRequest,
  settings: CompileSettings,
): Promise<CompiledTopology> => compileFiles(files, await findTopology(files, topology, lock), settings);

/** Reads and compiles a topology whose files are already found. */
export async function compileFiles(
  reader: FileReader,
  files: TopologyFiles,
  {
    only,
    relock = [],
    nudge = [],
    clusters = [],
    links = [],
    despiteVerdicts = false,
    memory = {},
    ...judging
  }: CompileSettings,
): Promise<CompiledTopology> {
  const sources = await readSources(reader, files);
  if (!sources.ok) return { kind: 'errors', files, diagnostics: sources.diagnostics };
  const options = { relock, nudge, only, ...judging, ...memory };
  const judged = compile(sources.value, options);
  const compiled =
    !judged.ok && despiteVerdicts
      ? compile(sources.value, { ...options, withoutAssertions: true, allowReplacements: true })
      : judged;
  if (!compiled.ok) return { kind: 'errors', files, diagnostics: judged.diagnostics };
  const { model } = compiled.value;
  const targets = [...relock, ...nudge, ...links];
  const named = targets
    .filter((it) => !isEvery(it))
    .flatMap((it) => (it.peer === null ? [it.cluster] : [it.cluster, it.peer]));
  const refusal = unknownCluster(model, [...(only ?? []), ...named, ...clusters]) ?? notLinked(model, targets);
  if (refusal !== undefined) return { kind: 'refused', files, refusal };
  return {
    kind: 'compiled',
    files,
    // Everything else about a cluster with another name follows from that.
    diagnostics: isRenamed(judged.diagnostics) ? [] : compiled.diagnostics,
    sources: sources.value,
    compiled: compiled.value,
    verdicts: judged.ok ? [] : judged.diagnostics,
  };
}

/** True when a rename is not declared. */
export const isRenamed = (verdicts: readonly Diagnostic[]): boolean =>
  verdicts.some((it) => it.code === 'topology/undeclared-rename');

/**
 * The loss of a lock beside bundles that would change: every address and port would be decided again, which
 * `--relock all` does on purpose.
 */
export const lostLock = (
  { sources, files }: Pick<ReadyTopology, 'sources' | 'files'>,
  relock: readonly RelockTarget[],
): readonly Removal[] =>
  sources.lock === undefined && !relock.some(isEvery) ? [{ what: 'lock', gone: [[files.lock]], of: 1 }] : [];

/** True for `all`, which is accepted even if no cluster has this name. */
const isEvery = ({ cluster, peer }: RelockTarget): boolean => cluster === EVERY_CLUSTER && peer === null;

/** Refuses a named cluster that the topology does not have. */
function unknownCluster({ clusters }: AddressedModel, names: readonly string[]): Refusal | undefined {
  const name = names.find((it) => !clusters.has(it));
  return name === undefined ? undefined : { kind: 'unknown-cluster', name, known: [...clusters.keys()] };
}

/** Refuses a pair without a link, for which the lock and the keys file have nothing. */
function notLinked({ clusters }: AddressedModel, targets: readonly RelockTarget[]): Refusal | undefined {
  for (const { cluster, peer } of targets) {
    if (peer === null || clusters.get(cluster)?.peers.has(peer)) continue;
    return { kind: 'not-linked', cluster, peer };
  }
  return undefined;
}

/**
 * Diagnostics that depend on the time: certificates that end, and old keys. They are not a part of compiling, so
 * that the same files always give the same result.
 *
 * @param now milliseconds since 1970
 */
export const agingDiagnostics = (
  { compiled: { model, inputs } }: Pick<ReadyTopology, 'compiled'>,
  now: number,
): readonly Diagnostic[] => [
  ...endingCertificates({ identities: inputs.identities, shares: model.shares, nowSeconds: Math.floor(now / 1000) }),
  ...oldKeys(model, Math.floor(now / 1000)),
];

/** Refuses a folder that has the bundles of another fleet, which would be removed, or other files. */
export function refuseOut(
  tree: Pick<OutputTree, 'contentOf'>,
  topology: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Refusal | undefined {
  const content = tree.contentOf(out);
  switch (content.kind) {
    case 'empty':
      return undefined;
    case 'bundles':
      return ofAnotherFleet(topology, out, content.fleets);
    case 'several':
      return { kind: 'out-has-several-fleets', out, fleets: content.fleets };
    case 'others':
      return ofAnotherKind(out, content);
  }
}

const ofAnotherKind = (out: string, { names, isRepository }: Extract<OutContent, { kind: 'others' }>): Refusal =>
  isRepository ? { kind: 'out-is-repository', out } : { kind: 'out-has-other-files', out, names };

/**
 * Refuses a folder or a commit with the bundles of another fleet.
 *
 * @param there the names of the fleets whose bundles are there; empty if they are unknown
 */
export function ofAnotherFleet(
  { files, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
  there: readonly string[],
): Refusal | undefined {
  const { name, renamedFrom } = compiled.inputs.declaration;
  const [other] = there;
  if (other === undefined || there.includes(name.value)) return undefined;
  if (renamedFrom !== undefined && there.includes(renamedFrom)) return undefined;
  return { kind: 'out-of-another-fleet', out, fleet: name.value, other, topology: files.topology };
}

/**
 * Refuses bundles of a fleet with the same name that were compiled from another topology: a copy that still exists
 * beside this one. A renamed topology file is not another topology.
 */
export async function refuseDuplicateFleet(
  { files, tree }: { readonly files: FileReader; readonly tree: Pick<OutputTree, 'contentOf'> },
  { files: { topology }, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Promise<Refusal | undefined> {
  // No cluster has to be looked for in a folder that has none.
  if (tree.contentOf(out).kind === 'empty') return undefined;
  const { topologyFile, name } = compiled.model.fleet;
  for (const cluster of compiled.model.clusters.keys()) {
    const read = await files.readText(join(out, printBundlePath({ part: 'kustomization', cluster })));
    const owner = read.kind === 'ok' ? parseHeader(read.text) : undefined;
    if (owner === undefined) continue;
    const duplicate = join(dirname(topology), owner);
    if (owner === topologyFile || (await files.readText(duplicate)).kind !== 'ok') return undefined;
    return { kind: 'same-fleet-name', fleet: name, topologies: [duplicate, topology] };
  }
  return undefined;
}

type SharedObject = Pick<Extract<Refusal, { kind: 'same-entry-point' }>, 'object' | 'key'>;

/** Refuses two fleets whose entry points contain the same object: the one that is applied later would overwrite it. */
export function sameEntryPoint(ready: readonly ReadyTopology[]): Refusal | undefined {
  const first = new Map<string, string>();
  for (const { compiled, files } of ready) {
    for (const it of objectsOf(compiled.model.fleet)) {
      const other = first.get(it.object);
      if (other !== undefined) return { kind: 'same-entry-point', ...it, topologies: [other, files.topology] };
      first.set(it.object, files.topology);
    }
  }
  return undefined;
}

/** The objects of entry points whose names a topology can choose. weft does not write those of `flux bootstrap`. */
function objectsOf({ gitops }: AddressedModel['fleet']): readonly SharedObject[] {
  const [argo, flux] = [gitops?.argo, gitops?.flux];
  return [
    ...(argo && argo.project !== 'default'
      ? [{ object: `the AppProject "${argo.project}" in ${argo.namespace}`, key: 'gitops.argo.project' as const }]
      : []),
    ...(flux && flux.source !== 'flux-system'
      ? [{ object: `the GitRepository "${flux.source}" in ${flux.namespace}`, key: 'gitops.flux.source' as const }]
      : []),
  ];
}

/**
 * Refuses entry points that name another folder than that of the bundles. Argo CD and Flux read the bundles at
 * `gitops.path` of the repository, so they would apply nothing, or the bundles of another fleet. A folder outside a
 * repository is not compared.
 */
export function entryPointsElsewhere(
  files: FileReader,
  { files: { topology }, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Refusal | undefined {
  const { gitops } = compiled.model.fleet;
  const folder = files.folderInRepository(out);
  if (gitops === null || folder === undefined || folder === gitops.path) return undefined;
  return { kind: 'entry-points-elsewhere', topology, folder, named: gitops.path };
}
