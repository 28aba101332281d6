import { byCodeUnit } from '../../base/core/order.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Compiled } from '../../compile.ts';
import { COMPARED_KINDS } from '../../live/drift/compared-kinds.ts';
import type { ExplainedCluster } from '../../live/drift/explain-cluster.ts';
import { explainFleet } from '../../live/drift/explain-fleet.ts';
import { incompleteDump } from '../../live/drift/incomplete-dump.ts';
import { looksLikeAnother } from '../../live/drift/looks-like-another.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { certificateWarnings } from './certificate-warnings.ts';
import { compileForLive } from './compile-for-live.ts';
import type { TopologyRequest, Unanswered } from './compile-topology.ts';
import { explainLive } from './explain-live.ts';
import type { DumpRequest } from './list-dumps.ts';
import type { LivePorts } from './live-ports.ts';
import type { FileReader } from './ports.ts';
import type { ContextRequest } from './read-context.ts';
import { readLiveClusters } from './read-live-clusters.ts';
import { rootOf } from './verify-out.ts';

interface DriftRequest extends TopologyRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
  /** Folder of the bundles, for places in messages. */
  readonly out: string;
}

export type DriftResult =
  | Unanswered
  /** A dump cannot be read, or is not of the cluster that it is given for. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] }
  | DriftFound;

interface DriftFound {
  readonly kind: 'compared';
  /** By name. */
  readonly clusters: readonly ExplainedCluster[];
  /** Clusters of the fleet that were not compared, by name. */
  readonly others: readonly string[];
  /** Why some of these were not, although there is a dump of them. */
  readonly incomplete: readonly Diagnostic[];
  /** Of the topology. */
  readonly diagnostics: readonly Diagnostic[];
}

type DriftPorts = LivePorts & { readonly files: FileReader; readonly now: () => number };

/** Looks at the clusters again each time that it is called. */
type Look = () => Promise<DriftResult>;

/** Compares live clusters with what the topology compiles to. Reads only, here and there. */
export async function driftFleet(ports: DriftPorts, request: DriftRequest): Promise<DriftResult> {
  const prepared = await prepareDrift(ports, request);
  return prepared.kind === 'ready' ? prepared.look() : prepared;
}

/** Compiles the topology once, for any number of looks. */
export async function prepareDrift(
  ports: DriftPorts,
  request: DriftRequest,
): Promise<Unanswered | { readonly kind: 'ready'; readonly look: Look }> {
  const topology = await compileForLive(ports.files, request);
  if (topology.kind !== 'compiled') return topology;
  const diagnostics = [...topology.diagnostics, ...certificateWarnings(topology, ports.now())];
  return { kind: 'ready', look: () => lookAt(ports, request, { compiled: topology.compiled, diagnostics }) };
}

interface Prepared {
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
}

async function lookAt(
  ports: DriftPorts,
  request: DriftRequest,
  { compiled, diagnostics }: Prepared,
): Promise<DriftResult> {
  const { model } = compiled;
  const known = [...model.clusters.keys()].sort(byCodeUnit);
  const paths = new Map(request.dumps.map((it) => [it.cluster, it.path]));
  const live = await readLiveClusters(ports, request, { known: new Set(known), kinds: COMPARED_KINDS }, (it) => {
    const path = paths.get(it.cluster) ?? paths.get(null) ?? it.cluster;
    const root = rootOf(request.out);
    const promised = () => promisedObjects(it.cluster, { bundle: compiled.bundle, root });
    return (
      looksLikeAnother(model, it, path) ?? incompleteDump(it, { promised, path }) ?? explainLive(compiled, root, it)
    );
  });
  if (!live.ok) return { kind: 'unreadable', diagnostics: live.diagnostics };
  const unusable = [...live.value.values()].filter((it) => 'code' in it);
  const incomplete = unusable.filter((it) => it.code === 'live/incomplete');
  const clusters = [...live.value.values()].filter((it) => 'drift' in it);
  if (incomplete.length < unusable.length || (clusters.length === 0 && unusable.length > 0))
    return { kind: 'unreadable', diagnostics: unusable };
  const seen = new Set(clusters.map((it) => it.drift.cluster));
  return {
    kind: 'compared',
    clusters: explainFleet(clusters),
    others: known.filter((it) => !seen.has(it)),
    incomplete,
    diagnostics,
  };
}
