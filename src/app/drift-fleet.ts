import { byCodeUnit } from '../core/order.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { compareCluster } from '../drift/compare-cluster.ts';
import { COMPARED_KINDS } from '../drift/compared-kinds.ts';
import type { ClusterDrift } from '../drift/drift.ts';
import { promisedObjects } from '../drift/promised-objects.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import { certificateWarnings } from './certificate-warnings.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
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

type DriftResult =
  | Unanswered
  /** A dump cannot be read, or is not of the cluster that it is given for. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] }
  | DriftFound;

interface DriftFound {
  readonly kind: 'compared';
  /** By name. */
  readonly clusters: readonly ClusterDrift[];
  /** Clusters of the fleet that nobody looked at, by name. */
  readonly others: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares live clusters with what the topology compiles to. Reads only, here and there. */
export async function driftFleet(
  ports: LivePorts & { readonly files: FileReader; readonly now: () => number },
  request: DriftRequest,
): Promise<DriftResult> {
  if (request.dumps.length + request.contexts.length === 0)
    return { kind: 'refused', refusal: { kind: 'no-live-cluster', command: 'drift' } };
  const named = [...request.dumps.flatMap((it) => it.cluster ?? []), ...request.contexts.map((it) => it.cluster)];
  const topology = await compileTopology(ports.files, request, {
    only: null,
    clusters: named,
    withoutAssertions: true,
  });
  if (topology.kind !== 'compiled') return topology;
  const { model, bundle } = topology.compiled;
  const known = [...model.clusters.keys()].sort(byCodeUnit);
  const compiled = { bundle, root: rootOf(request.out) };
  const live = await readLiveClusters(ports, request, { known: new Set(known), kinds: COMPARED_KINDS }, (it) => {
    const { traits } = clusterNamed(model, it.cluster);
    return compareCluster({ promised: promisedObjects(it.cluster, compiled), traits }, it);
  });
  if (!live.ok) return { kind: 'unreadable', diagnostics: live.diagnostics };
  const clusters = [...live.value.values()];
  const empty = clusters.find((it) => it.compared === 0 && it.uncompared.length > 0);
  if (empty !== undefined) return nothingCompared(empty);
  const seen = new Set(clusters.map((it) => it.cluster));
  return {
    kind: 'compared',
    clusters,
    others: known.filter((it) => !seen.has(it)),
    diagnostics: [...topology.diagnostics, ...certificateWarnings(topology, ports.now())],
  };
}

function nothingCompared({ cluster, uncompared }: ClusterDrift): Unanswered {
  const kinds = uncompared.flatMap(({ key }) => COMPARED_KINDS.find((it) => it.key === key)?.resource ?? []);
  return { kind: 'refused', refusal: { kind: 'nothing-compared', cluster, kinds } };
}
