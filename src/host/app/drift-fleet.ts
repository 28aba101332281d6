import { byCodeUnit } from '../../base/core/collections.ts';
import { countOf } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Compiled } from '../../compile.ts';
import { clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import type { NotComparable } from '../../live/drift/causes-first.ts';
import { incompleteDump, looksLikeAnother, unknownKinds } from '../../live/drift/check-dump.ts';
import { behindUnknownKeys, compareCluster, renewingPeers } from '../../live/drift/compare-cluster.ts';
import { COMPARED_KINDS } from '../../live/drift/compare-objects.ts';
import { isDrift } from '../../live/drift/drift.ts';
import { type ExplainedCluster, explainCluster, explainFleet } from '../../live/drift/explain-cluster.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import type { LiveCluster } from '../../live/dumps/kubernetes-object.ts';
import { agingDiagnostics, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import { compileForLive, type LiveRequest } from './live-sources.ts';
import { type LivePorts, OUT } from './ports.ts';
import { readLiveClusters } from './read-live-clusters.ts';
import { OperationRefused } from './refusal.ts';
import { rootOf } from './verify-fleet.ts';

interface DriftRequest extends TopologyRequest, LiveRequest {
  /** The folder of the bundles, for places in messages. */
  readonly out: string;
}

export type DriftResult = Unanswered | DriftFound;

interface DriftFound {
  readonly kind: 'compared';
  /** The compared clusters, sorted by name. */
  readonly clusters: readonly ExplainedCluster[];
  /** Clusters of the fleet that were not compared, sorted by name. */
  readonly others: readonly string[];
  /** The reasons why some of these were not compared although there is a dump of them. */
  readonly incomplete: readonly Diagnostic[];
  /** The diagnostics of the topology. */
  readonly diagnostics: readonly Diagnostic[];
}

type DriftPorts = LivePorts & { readonly now: () => number };

/** Reads and compares the clusters again at each call. */
type LookAtFleet = () => Promise<DriftResult>;

/** Compares live clusters with the compiled topology. Only reads, on disk and in clusters. */
export async function driftFleet(ports: DriftPorts, request: DriftRequest): Promise<DriftResult> {
  const prepared = await prepareDrift(ports, request);
  return prepared.kind === 'ready' ? prepared.look() : prepared;
}

/** Compiles the topology once, for any number of comparisons. */
export async function prepareDrift(
  ports: DriftPorts,
  request: DriftRequest,
): Promise<Unanswered | { readonly kind: 'ready'; readonly look: LookAtFleet }> {
  const topology = await compileForLive(ports.files, request);
  if (topology.kind !== 'compiled') return topology;
  const diagnostics = [...topology.diagnostics, ...agingDiagnostics(topology, ports.now())];
  return { kind: 'ready', look: () => lookAt(ports, request, { compiled: topology.compiled, diagnostics }) };
}

interface Prepared {
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the clusters of a request with what is compiled already. */
export async function lookAt(
  ports: LivePorts,
  request: Pick<DriftRequest, keyof LiveRequest | 'out'>,
  { compiled, diagnostics }: Prepared,
): Promise<DriftResult> {
  const { model } = compiled;
  const known = [...model.clusters.keys()].sort(byCodeUnit);
  const paths = new Map<string, string>();
  const live = await readLiveClusters(ports, request, { known: new Set(known), kinds: COMPARED_KINDS }, (it) => {
    const root = rootOf(request.out);
    paths.set(it.cluster, it.from);
    const promised = () => promisedObjects(it.cluster, { bundle: compiled.bundle, root });
    return looksLikeAnother(model, it) ?? incompleteDump(it, promised) ?? explainLive(compiled, root, it);
  });
  if (!live.ok) return { kind: 'unreadable', diagnostics: live.diagnostics };
  const unusable = [...live.value.values()].filter((it) => 'code' in it);
  const incomplete = unusable.filter((it) => it.code === 'live/incomplete');
  const clusters = [...live.value.values()].filter((it) => 'drift' in it);
  // Drift ends a run in any case; without it, nothing shows that these are there.
  const unknown = clusters
    .filter((it) => it.rollout.state === 'same')
    .flatMap(({ drift }) => unknownKinds(drift, paths.get(drift.cluster) ?? drift.cluster) ?? []);
  if (incomplete.length < unusable.length || (clusters.length === 0 && unusable.length > 0))
    return { kind: 'unreadable', diagnostics: unusable };
  const seen = new Set(clusters.map((it) => it.drift.cluster));
  return {
    kind: 'compared',
    clusters: explainFleet(clusters),
    others: known.filter((it) => !seen.has(it)),
    incomplete: [...incomplete, ...unknown],
    diagnostics,
  };
}

/** The pause between two comparisons: about the start time of a gateway, and harmless for an API server. */
const PAUSE_MILLISECONDS = 10_000;

interface RolloutWait {
  readonly look: () => Promise<DriftResult>;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly notify: (line: string) => Promise<void>;
  readonly limitMilliseconds: number;
}

/**
 * Compares immediately and again after each pause, until nothing differs or the time is over; returns the last result.
 * After a first successful read, a cluster that cannot be read for a while is read again later.
 */
export async function waitForFleet({ look, now, sleep, notify, limitMilliseconds }: RolloutWait): Promise<DriftResult> {
  const end = now() + limitMilliseconds;
  let result = await look();
  while (result.kind === 'compared' && result.clusters.some(({ problems }) => problems.some(isDrift))) {
    const left = end - now();
    if (left <= 0) return result;
    await notify(progressOf(result.clusters, left));
    await sleep(Math.min(PAUSE_MILLISECONDS, left));
    result = await lookAgain(look, { result, notify, isLast: end - now() <= 0 });
  }
  return result;
}

interface Again {
  readonly result: DriftResult;
  readonly notify: (line: string) => Promise<void>;
  readonly isLast: boolean;
}

async function lookAgain(look: () => Promise<DriftResult>, { result, notify, isLast }: Again): Promise<DriftResult> {
  try {
    return await look();
  } catch (error) {
    if (isLast || !(error instanceof OperationRefused) || error.refusal.kind !== 'cluster-not-read') throw error;
    await notify(`kubectl cannot read "${error.refusal.cluster}" at the moment: ${error.refusal.failure.message}`);
    return result;
  }
}

type Compared = Extract<DriftResult, { readonly kind: 'compared' }>;

/** The number of clusters whose next step is named in a line of progress. */
const NAMED = 3;

function progressOf(clusters: Compared['clusters'], left: number): string {
  const open = clusters.filter(({ problems }) => problems.some(isDrift));
  const named = open.slice(0, NAMED).map(({ drift, problems, rollout }) => {
    const { there, compared, waitsFor } = rollout;
    const next = waitsFor === null ? countOf(problems.filter(isDrift).length, 'problem') : `waits for ${waitsFor}`;
    return `${drift.cluster} ${there} of ${compared}, ${next}`;
  });
  const more = open.length - named.length;
  const others = more > 0 ? [countOf(more, 'more cluster')] : [];
  return `${[...named, ...others].join('; ')}; ${countOf(Math.ceil(left / 1000), 'second')} left`;
}

/** A model with the files of at least the compared clusters. */
type PrintedClusters = Pick<Compiled, 'model'> & { readonly bundle: ReadonlyMap<string, string> };

/** The differences between one cluster and its bundle, with reasons. Only reported values of its objects are kept. */
export function explainLive({ model, bundle }: PrintedClusters, root: string, live: LiveCluster): ExplainedCluster {
  const cluster = clusterNamed(model, live.cluster);
  const promised = promisedObjects(live.cluster, { bundle, root });
  const [renewing, unknownKeys] = [renewingPeers(cluster, model), behindUnknownKeys(cluster, model)];
  const drift = compareCluster({ promised, renewing, unknownKeys }, live);
  return explainCluster({ model, cluster, promised, live, drift, root });
}

/** Like `explainLive`, or the reason why the cluster cannot be compared. */
export function comparedWithGit(compiled: PrintedClusters, live: LiveCluster): ExplainedCluster | NotComparable {
  const { cluster } = live;
  const promised = () => promisedObjects(cluster, { bundle: compiled.bundle, root: OUT });
  const why = looksLikeAnother(compiled.model, live) ?? incompleteDump(live, promised);
  return why === undefined ? explainLive(compiled, OUT, live) : { cluster, why };
}
