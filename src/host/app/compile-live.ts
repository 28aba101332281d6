import { basename } from 'node:path';
import { printLockKey } from '../../base/core/lock-key.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { printKeysFile } from '../../fleet/keys/keys-file.ts';
import { type NextDecisions, printLock } from '../../fleet/lock/lock.ts';
import { adoptLive } from '../../live/adopt/adopt-live.ts';
import { type LiveNetwork, liveDecisions, overlappingViews } from '../../live/adopt/live-network.ts';
import { compareObjects } from '../../live/drift/compare-objects.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { type LiveCluster, objectKey } from '../../live/dumps/kubernetes-object.ts';
import { type ObservedCluster, observeCluster } from '../../live/facts/cluster.ts';
import { printIdentitiesFile } from '../../live/identities/collect-answers.ts';
import { placeFindings } from '../../live/import/finding.ts';
import { withBoundaries } from '../../live/import/infer-boundaries.ts';
import { inferFleet } from '../../live/import/infer-fleet.ts';
import { printTopology } from '../../live/import/print-topology.ts';
import { type SharedFleet, withSharing } from '../../live/import/sharing/infer-sharing.ts';
import { hasOwnTemplates } from '../../live/import/templates-of.ts';
import type { TopologyFiles } from './find-topology.ts';

/** Live clusters described as a topology, and the result of compiling it. */
interface LiveFleet {
  readonly imported: SharedFleet;
  /** Faults of the live clusters, and facts that a topology cannot express, located at lines of the topology. */
  readonly found: readonly Diagnostic[];
  readonly sources: Sources;
  readonly compiled: Compiled;
}

interface DescribedLive {
  readonly name: string;
  /** The files for which the texts are written. */
  readonly files: TopologyFiles;
  /** The path from the topology to the schema for editors; `null` where it is unknown. */
  readonly schema?: string | null;
}

/** Describes live clusters as a topology, keys, a lock, and their bundles. Pure. */
export const compileLive = (live: readonly LiveCluster[], described: DescribedLive): Outcome<LiveFleet> =>
  compileObserved(live.map(observeCluster), described);

/** Like `compileLive`, for clusters that are already observed. */
export function compileObserved(observed: readonly ObservedCluster[], described: DescribedLive): Outcome<LiveFleet> {
  const inferred = (foreign: ReadonlySet<string>): SharedFleet =>
    withBoundaries(withSharing(inferFleet(observed, { ...described, foreignTemplates: foreign }), observed), observed);
  const unknownPools = new Set(observed.filter((it) => it.pools === null).map((it) => it.cluster));
  const first = compileInferred(inferred(new Set()), { ...described, unknownPools });
  if (!first.ok) return notWritten(first.diagnostics);
  const foreign = foreignTemplates(observed, first.value.compiled);
  if (foreign.size === 0) return first;
  const second = compileInferred(inferred(foreign), { ...described, unknownPools });
  return second.ok ? second : notWritten(second.diagnostics);
}

interface DescribedPools extends DescribedLive {
  readonly unknownPools: ReadonlySet<string>;
}

function compileInferred(imported: SharedFleet, described: DescribedPools): Outcome<LiveFleet> {
  const { files, schema = null, unknownPools } = described;
  const { keys: gateways, authentication, identities } = imported;
  const { text, places } = printTopology(imported, { schema });
  const topology = { path: files.topology, text };
  const placed = placeFindings(imported.findings, { source: topology, places });
  // Unknown values would be reported a second time as missing in the topology.
  if (placed.some((it) => it.severity === 'error')) return failure(placed);
  const before: Sources = {
    topology,
    keys: { path: files.keys, text: printKeysFile({ gateways, authentication }) },
    ...(identities.size === 0 ? {} : { identities: { path: files.identities, text: printIdentitiesFile(identities) } }),
    lock: undefined,
  };
  const adopted = adoptLock({
    sources: before,
    decisions: new Map(),
    live: imported.live,
    path: files.lock,
    keepsOrder: false,
    unknownPools,
  });
  if (!adopted.ok) return failure([...placed, ...adopted.diagnostics]);
  const { lock } = adopted.value;
  const compiled = compile({ ...before, lock }, { relock: [], only: null });
  const found = [...placed, ...adopted.diagnostics];
  if (!compiled.ok) return failure([...found, ...compiled.diagnostics]);
  const { accept = [] } = imported.topology;
  const unexplained = accept.length > 0 ? [] : [...unknownPools].filter((it) => hasHistory(compiled.value, it));
  if (unexplained.length > 0) {
    const reason = 'the pools of its IPAM were not in the dumps, so the views of a rebuild are not known';
    const accepted = unexplained.map((cluster) => ({ code: 'ipam/history', cluster, reason }));
    return compileInferred({ ...imported, topology: { ...imported.topology, accept: accepted } }, described);
  }
  // The lock as compile writes it, including decisions that the clusters did not show.
  const sources = { ...before, lock: { ...lock, text: compiled.value.lock } };
  return outcome({ imported, found: placed, sources, compiled: compiled.value }, [
    ...found,
    ...withoutHistory(compiled.diagnostics),
  ]);
}

const hasHistory = ({ model }: Compiled, cluster: string): boolean =>
  [...(model.clusters.get(cluster)?.peers.values() ?? [])].some((peer) => viewsOf(peer).some((it) => it.history));

interface AdoptLockRequest {
  /** The sources; their lock is ignored. */
  readonly sources: Sources;
  /** The decisions of the present lock; empty without one. */
  readonly decisions: NextDecisions;
  readonly live: LiveNetwork;
  /** The path of the lock. */
  readonly path: string;
  /** True when the present join order is kept unless another one explains more views. */
  readonly keepsOrder: boolean;
  /** Clusters of which the pools are only assumed. */
  readonly unknownPools?: ReadonlySet<string>;
}

interface AdoptedLock {
  readonly lock: Source;
  readonly remapped: number;
  /** The number of remapped views that no join order produces. */
  readonly forced: number;
}

/** Builds the lock of a topology from the decisions of live clusters. */
export function adoptLock(request: AdoptLockRequest): Outcome<AdoptedLock> {
  const { sources, decisions, live, path, keepsOrder, unknownPools = new Set() } = request;
  const lockOf = (next: NextDecisions): Source => ({ path, text: printLock(basename(sources.topology.path), next) });
  const { sound, overlapping } = overlappingViews(live.views);
  const kept = { ...live, views: sound };
  // Contains all views and ports of the clusters; only the join order is preliminary.
  const lock = lockOf(liveDecisions(kept, decisions.size > 0 ? decisions : joinsWithoutLock(sources)));
  const unordered = compile({ ...sources, lock }, { relock: [], only: [], withoutAssertions: true });
  if (!unordered.ok) return failure(unordered.diagnostics);
  const adopted = adoptLive(unordered.value.model, { live: kept, overlapping, keepsOrder, unknownPools });
  const forced = adopted.forced.reduce((sum, it) => sum + it.views.length, 0);
  return outcome({ lock: lockOf(adopted.decisions), remapped: adopted.remapped, forced }, adopted.diagnostics);
}

/** The links and the join order that weft assigns to a new fleet; empty when the sources have errors. */
function joinsWithoutLock(sources: Sources): NextDecisions {
  const fresh = compile({ ...sources, lock: undefined }, { relock: [], only: [], withoutAssertions: true });
  if (!fresh.ok) return new Map();
  return new Map(fresh.value.model.links.map(({ id, join }) => [printLockKey({ kind: 'join', link: id }), join]));
}

/** Removes the notes about history, for which an adopted lock has already given reasons. */
export const withoutHistory = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter((it) => it.code !== 'ipam/history');

/** The clusters with a gateway template that has one of weft's names but not the text that weft compiles from them. */
function foreignTemplates(observed: readonly ObservedCluster[], { bundle }: Compiled): ReadonlySet<string> {
  const differs = (it: ObservedCluster): boolean => {
    return [...promisedObjects(it.cluster, { bundle, root: 'out' }).values()].some(({ object }) => {
      if (!TEMPLATES.includes(object.kind)) return false;
      const found = it.templates.get(objectKey(object));
      if (found === undefined) return true;
      return [...compareObjects(object, found, { isRenewed: false })].some(({ path }) => path[0] === 'spec');
    });
  };
  return new Set(observed.filter((it) => hasOwnTemplates(it) && differs(it)).map((it) => it.cluster));
}

const TEMPLATES = ['WgGatewayServerTemplate', 'WgGatewayClientTemplate'];

/** A failure in generated texts. Their paths are marked, because no files exist there. */
function notWritten(diagnostics: readonly Diagnostic[]): Outcome<never> {
  const marked = new Map<Source, Source>();
  const markedSpan = (span: Span): Span => {
    const source = marked.get(span.source) ?? { ...span.source, path: `${span.source.path} (not written)` };
    marked.set(span.source, source);
    return { ...span, source };
  };
  return failure(
    diagnostics.map((it) => ({
      ...it,
      span: markedSpan(it.span),
      related: it.related.map((one) => ({ ...one, span: markedSpan(one.span) })),
    })),
  );
}
