import { once } from '../../base/core/once.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';
import type { Compiled } from '../../compile.ts';
import { type ClusterProblem, causesFirst, type NotComparable } from '../../live/drift/causes-first.ts';
import { unknownKinds } from '../../live/drift/check-dump.ts';
import { COMPARED_KINDS } from '../../live/drift/compare-objects.ts';
import { type ExplainedCluster, explainFleet } from '../../live/drift/explain-cluster.ts';
import type { LiveCluster } from '../../live/dumps/kubernetes-object.ts';
import { observeCluster } from '../../live/facts/cluster.ts';
import { type LinkFault, linkFaults, unkeptViews } from '../../live/problems/link-faults.ts';
import { routesMissingIn } from '../../live/problems/missing-routes.ts';
import { rulesUnlikeViews } from '../../live/problems/other-rules.ts';
import type { LiveState } from '../../reach/trace/packet.ts';
import { compileLive } from './compile-live.ts';
import {
  type Answered,
  type CompiledTopology,
  compileTopology,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { comparedWithGit } from './drift-fleet.ts';
import { filesOf } from './find-topology.ts';
import type { LiveRequest } from './live-sources.ts';
import type { FileReader, LivePorts } from './ports.ts';
import { readLiveClusters } from './read-live-clusters.ts';
import { OperationRefused } from './refusal.ts';

/** The network of a lookup: a topology, or live clusters. */
export interface NetworkRequest extends TopologyRequest {
  /** The live clusters to read; `undefined` to use the topology. */
  readonly live?: LiveRequest | undefined;
}

/** The network in which a lookup is made. */
interface KnownNetwork extends ReadyTopology {
  /** The origin of a live network; `null` for a network from a topology. */
  readonly live: LiveLook | null;
}

/** The answer of a lookup. */
export interface LookedUp<Kind extends string> extends Answered<Kind> {
  /** The origin of a live network; `null` for the network in git. */
  readonly live: LiveLook | null;
}

/** The origin of a live network. */
export interface LiveLook {
  /** The dumps and contexts from which its objects were read, as the user named them. */
  readonly sources: readonly string[];
  /** The clusters that were read, sorted by name. */
  readonly looked: readonly string[];
  /** Other clusters, which are known only from objects of their peers. */
  readonly inferred: readonly string[];
  readonly faults: readonly LinkFault[];
  readonly state: LiveState;
  /** The network as git has it; `null` without a topology, or when it has errors. */
  readonly git: Compiled['model'] | null;
  /** Differences from git of the pairs in question, causes first; `null` without git. */
  readonly differences: (isAbout: IsAbout) => readonly ClusterProblem[] | null;
}

/** True for a pair in question; the peer is `null` for what is about a cluster itself. */
export type IsAbout = Parameters<typeof causesFirst>[1];

/** The network of a request, from the topology or from live clusters. Refuses named clusters that it does not have. */
export async function networkOf(
  ports: LivePorts,
  request: NetworkRequest,
  clusters: readonly string[],
): Promise<Unanswered | KnownNetwork> {
  if (request.live !== undefined) return liveNetwork(ports, { ...request, live: request.live }, clusters);
  const topology = await compileTopology(ports.files, request, { only: [], clusters, withoutAssertions: true });
  return topology.kind === 'compiled' ? { ...topology, live: null } : topology;
}

async function liveNetwork(
  ports: LivePorts,
  request: NetworkRequest & { readonly live: LiveRequest },
  clusters: readonly string[],
): Promise<Unanswered | KnownNetwork> {
  const read = await readLiveClusters(ports, request.live, { known: null, kinds: COMPARED_KINDS }, (it) => it);
  if (!read.ok) return { kind: 'unreadable', diagnostics: read.diagnostics };
  const running = [...read.value.values()];
  const topology = await topologyIfThere(ports.files, request);
  const git = topology?.kind === 'compiled' ? topology.compiled.model : null;
  const differences = topology?.kind === 'compiled' ? differencesFrom(topology.compiled, running) : () => null;
  const files = filesOf('live.yaml', undefined, true);
  const fleet = compileLive(running, { name: git?.fleet.name ?? 'live', files });
  const from = sourcesOf(request.live);
  // Without an answer, the differences may be its cause.
  const noAnswer = (): readonly ClusterProblem[] => {
    const named = new Set(clusters);
    const isAbout: IsAbout = ({ cluster, peer }) =>
      named.size === 0 || (named.has(cluster) && (peer === null || named.size === 1 || named.has(peer)));
    const about = differences(isAbout) ?? [];
    return about.length > 0 ? about : (differences(() => true) ?? []);
  };
  if (!fleet.ok) {
    const why = noAnswer();
    const incomplete = why.flatMap((it) => (it.problem.diagnostic.code === 'live/incomplete' ? [it.cluster] : []));
    // An import of the same dump reports the same.
    const isNew = ({ about = [] }: Diagnostic): boolean =>
      !about.some(([cluster = '']) => incomplete.includes(cluster));
    return {
      kind: incomplete.length > 0 ? 'unreadable' : 'errors',
      diagnostics: [...why.map(diagnosticOf), ...placedAt(from, fleet.diagnostics.filter(isNew))],
    };
  }
  const { compiled, sources, found, imported } = fleet.value;
  const known = [...compiled.model.clusters.keys()];
  const unknown = clusters.find((it) => !compiled.model.clusters.has(it));
  if (unknown !== undefined) {
    const why = noAnswer();
    if (why.length > 0) return { kind: 'errors', diagnostics: why.map(diagnosticOf) };
    return { kind: 'refused', refusal: { kind: 'cluster-not-live', name: unknown, known } };
  }
  const looked = running.map((it) => it.cluster);
  const seen = new Set(looked);
  return {
    kind: 'compiled',
    files,
    // Diagnostics of the generated topology are dropped, because its text is not on disk.
    diagnostics: placedAt(from, found),
    sources,
    compiled,
    verdicts: [],
    live: {
      sources: from,
      looked,
      inferred: known.filter((it) => !seen.has(it)),
      faults: [...linkFaults(running.map(observeCluster)), ...unkeptViews(compiled.model, imported.live.views)],
      state: { rules: rulesUnlikeViews(compiled.model, running), lackingRoute: routesMissingIn(running) },
      git,
      differences,
    },
  };
}

const diagnosticOf = ({ problem }: ClusterProblem): Diagnostic => problem.diagnostic;

/** Diagnostics at what was read, because the text that describes the clusters is not on disk. */
const placedAt = (sources: readonly string[], found: readonly Diagnostic[]): readonly Diagnostic[] => {
  const span = startOf({ path: sources.join(', '), text: '' });
  return found.map((it) => ({ ...it, span, related: [] }));
};

/** Compares live clusters with git, only those in question, each once. */
function differencesFrom({ model, bundle }: Compiled, running: readonly LiveCluster[]): LiveLook['differences'] {
  const known = running.filter((it) => model.clusters.has(it.cluster));
  const places = new Map(running.map((it) => [it.cluster, it.from]));
  const explained = new Map(
    known.map((live) => {
      const { cluster } = live;
      return [cluster, once(() => comparedWithGit({ model, bundle: bundle.inFolder(cluster) }, live))];
    }),
  );
  return (isAbout) => {
    const names = [...explained.keys()];
    const isAsked = (cluster: string): boolean =>
      isAbout({ cluster, peer: null }) ||
      [...(model.clusters.get(cluster)?.peers.keys() ?? [])].some((peer) => isAbout({ cluster, peer }));
    const asked = names.filter(isAsked).flatMap((it) => explained.get(it)?.() ?? []);
    const compared = explainFleet(asked.filter((it) => 'drift' in it));
    return causesFirst(
      [...compared, ...asked.filter((it) => 'why' in it), ...compared.flatMap((it) => unread(it, places))],
      isAbout,
    );
  };
}

/** Kinds without which a tunnel may be down and nothing shows it. */
const OF_TUNNELS = ['Connection.networking.liqo.io', 'PublicKey.networking.liqo.io'];

/** The facts about tunnels that a dump of a cluster does not show, in which nothing differs. */
function unread({ drift, rollout }: ExplainedCluster, places: ReadonlyMap<string, string>): readonly NotComparable[] {
  const uncompared = drift.uncompared.filter((it) => OF_TUNNELS.includes(it.key));
  const why =
    rollout.state === 'same'
      ? unknownKinds({ ...drift, uncompared }, places.get(drift.cluster) ?? drift.cluster)
      : undefined;
  return why === undefined ? [] : [{ cluster: drift.cluster, why }];
}

/** The topology, if one is found. A live lookup may run without a repository, so an unnamed topology may be missing. */
async function topologyIfThere(files: FileReader, request: TopologyRequest): Promise<CompiledTopology | undefined> {
  try {
    return await compileTopology(files, request, { only: null, withoutAssertions: true });
  } catch (error) {
    if (error instanceof OperationRefused && request.topology === undefined) return undefined;
    throw error;
  }
}

const sourcesOf = ({ dumps, contexts }: LiveRequest): readonly string[] => [
  ...dumps.map(({ path }) => (path === '-' ? 'stdin' : path)),
  ...contexts.map((it) => `context ${it.context}`),
];
