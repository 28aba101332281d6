import { type CompileSummary, compileSummary, describeLockChanges } from '../../answers/report/compile-report.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source } from '../../base/source/source.ts';
import { emitBundle, folderVersions } from '../../bundle/emit/emit-bundle.ts';
import type { Sources } from '../../compile.ts';
import type { TreeCache } from '../disk/tree/tree-cache.ts';
import { sha256 } from '../disk/tree/tree-path.ts';
import { type CompileRequest, type CompileResult, compileFleet } from './compile-fleet.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { findTopology, type TopologyFiles } from './find-topology.ts';
import type { Ports } from './ports.ts';
import { readSources } from './topology-files.ts';

type DoneCompile = Extract<CompileResult, { kind: 'written' | 'compared' }>;
type Other = Exclude<CompileResult, DoneCompile>;
type FleetOf<Kind extends DoneCompile['kind']> = Extract<CompileResult, { kind: Kind }>['fleets'][number];

/** A fleet as reports show it, compiled by this run or by an earlier one. */
type ShownFleet<Fleet extends FleetOf<DoneCompile['kind']>> = Omit<Fleet, 'topology'> & {
  readonly topology: Pick<ReadyTopology, 'files' | 'diagnostics' | 'sources'>;
  readonly summary: CompileSummary;
  readonly decided: readonly string[];
};

interface ShownResult<Kind extends DoneCompile['kind']> {
  readonly kind: Kind;
  readonly diagnostics: readonly Diagnostic[];
  readonly fleets: readonly ShownFleet<FleetOf<Kind>>[];
}

/** The result of `compileFleet` without what only a compile knows. */
export type ShownCompile = Other | ShownResult<'written'> | ShownResult<'compared'>;

/**
 * Compiles, unless nothing has changed since the last run: then the result is that of a run that found nothing to do.
 *
 * @param cache that of the folder of bundles, for a request about every file of one fleet; `null` to compile in any case
 */
export async function compileRemembered(
  ports: Ports,
  request: CompileRequest,
  cache: TreeCache | null,
): Promise<ShownCompile> {
  const recalled = cache === null || decidesAgain(request) ? undefined : await recall(ports, request, cache);
  if (recalled !== undefined) return recalled;
  const memory = cache === null ? {} : { memory: { emit: emitWithVersions } };
  const result = await compileFleet(ports, { ...memory, ...request });
  if (cache !== null && (result.kind === 'written' || result.kind === 'compared'))
    keepRun(ports, request, { cache, result });
  return shownResult(result);
}

/** Prints only folders that the cache does not know. */
const emitWithVersions: typeof emitBundle = (model, only) => emitBundle(model, only, folderVersions(model, sha256));

const decidesAgain = ({ relock, nudge = [] }: CompileRequest): boolean => relock.length + nudge.length > 0;

interface RememberedRun {
  readonly diagnostics: unknown;
  readonly summary: CompileSummary;
  /** The number of files. */
  readonly unchanged: number;
}

async function recall(ports: Ports, request: CompileRequest, cache: TreeCache): Promise<ShownCompile | undefined> {
  const files = await findTopology(ports.files, request.topology, request.lock);
  const sources = await readSources(ports.files, files);
  if (!sources.ok) return undefined;
  const run = (await cache.recall(keyOf(ports, request, { files, sources: sources.value }), files.lock)) as
    | RememberedRun
    | undefined;
  if (run === undefined) return undefined;
  const diagnostics = withSources(run.diagnostics, sources.value);
  const fleet = {
    topology: { files, diagnostics, sources: sources.value },
    summary: run.summary,
    decided: [],
    out: request.out,
    only: null,
    gone: [],
  };
  const tree = { created: [], changed: [], removed: [], keptEdited: [], unchanged: run.unchanged, lockChanged: false };
  return request.mode === 'check'
    ? {
        kind: 'compared',
        diagnostics,
        fleets: [
          { ...fleet, tree: { kind: 'compared', ...tree, changedRecords: [], isCurrent: true }, differences: [] },
        ],
      }
    : {
        kind: 'written',
        diagnostics,
        fleets: [{ ...fleet, tree: { kind: 'written', ...tree }, lockWasLost: false, keptFiles: [] }],
      };
}

/** Keeps a run if the next one of the same files would find nothing to do; in any case what it found on disk. */
function keepRun(
  ports: Ports,
  request: CompileRequest,
  { cache, result }: { readonly cache: TreeCache; readonly result: DoneCompile },
): void {
  const [fleet] = result.fleets;
  if (fleet === undefined) return;
  const { topology, tree } = fleet;
  const { created, changed, unchanged } = tree;
  const isDone = tree.kind === 'written' ? !tree.lockChanged : tree.isCurrent;
  const isLast = isDone && tree.keptEdited.length === 0 && !decidesAgain(request) && !isTransition(topology);
  const diagnostics = isLast ? withoutSources(result.diagnostics, topology.sources) : undefined;
  cache.keep(
    diagnostics === undefined
      ? null
      : {
          key: keyOf(ports, request, topology),
          value: {
            diagnostics,
            summary: compileSummary(topology.compiled.model),
            unchanged: created.length + changed.length + unchanged,
          } satisfies RememberedRun,
        },
  );
}

/** True for a topology that is not finished: files under former names, or of an empty fleet, decide what a run does. */
const isTransition = ({ sources, compiled: { model, inputs } }: ReadyTopology): boolean =>
  sources.lock === undefined ||
  model.clusters.size === 0 ||
  inputs.declaration.renamedFrom !== undefined ||
  [...model.clusters.values()].some((it) => it.renamedFrom !== null);

/** Identifies everything that determines a result, except for the files below `out/`. */
function keyOf(
  { files: reader }: Ports,
  { topology, lock, out, allowEmpty, allowDestroy, maxRemoved }: CompileRequest,
  { files, sources }: { readonly files: TopologyFiles; readonly sources: Sources },
): string {
  const texts = sourcesIn(sources).map((it) => it && [it.path, sha256(it.text)]);
  const place = [reader.folder, reader.folderInRepository(out)];
  return sha256(JSON.stringify([place, topology, lock, out, allowEmpty, allowDestroy, maxRemoved, files, texts]));
}

const sourcesIn = ({ topology, included = [], keys, identities, lock }: Sources): readonly (Source | undefined)[] => [
  ...[topology, keys, identities, lock],
  ...included,
];

/** Diagnostics as JSON, with numbers instead of sources; `undefined` if one is about another text. */
function withoutSources(diagnostics: readonly Diagnostic[], sources: Sources): unknown {
  const all = sourcesIn(sources);
  let isKnown = true;
  const text = JSON.stringify(diagnostics, (_, value: unknown) => {
    if (!isSpan(value)) return value;
    const { source, start, end } = value;
    const index = all.indexOf(source as Source);
    if (index === -1) isKnown = false;
    return { [SPAN]: [index, start, end] };
  });
  return isKnown ? JSON.parse(text) : undefined;
}

const withSources = (diagnostics: unknown, sources: Sources): readonly Diagnostic[] => {
  const all = sourcesIn(sources);
  return JSON.parse(JSON.stringify(diagnostics), (_, value: unknown) => {
    const span = hasFields(value) ? value[SPAN] : undefined;
    if (!Array.isArray(span)) return value;
    const [index, start, end] = span;
    return { source: all[index], start, end };
  }) as readonly Diagnostic[];
};

const SPAN = '@span';

type JsonObject = Readonly<Record<string, unknown>>;

const hasFields = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const isSpan = (value: unknown): value is JsonObject =>
  hasFields(value) && 'source' in value && 'start' in value && 'end' in value;

function shownResult(result: CompileResult): ShownCompile {
  if (result.kind === 'written') return { ...result, fleets: result.fleets.map(shownFleet) };
  if (result.kind === 'compared') return { ...result, fleets: result.fleets.map(shownFleet) };
  return result;
}

const shownFleet = <Fleet extends FleetOf<DoneCompile['kind']>>(
  fleet: Fleet,
): Fleet & Pick<ShownFleet<FleetOf<DoneCompile['kind']>>, 'summary' | 'decided'> => {
  const { sources, compiled } = fleet.topology;
  return {
    ...fleet,
    summary: compileSummary(compiled.model),
    decided: describeLockChanges(sources.lock?.text, compiled.lock),
  };
};
