import { groupBy, inOrder } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { type AddressedModel, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { faultText } from '../../live/problems/link-faults.ts';
import { type EndpointPath, endpointPaths } from '../../reach/services/endpoint-paths.ts';
import { findNamespace, type ServiceName, serviceClusters } from '../../reach/services/find-namespace.ts';
import { pairFatesOf } from '../../reach/trace/pair-fates.ts';
import { trace } from '../../reach/trace/trace.ts';
import {
  type AllPairs,
  type DeadLinks,
  endAtDeadLink,
  endPairsAtDeadLinks,
  traceAll,
  traceAllLive,
  withoutOwnLink,
} from '../../reach/trace/trace-all.ts';
import type { TraceRequest } from '../../reach/trace/trace-request.ts';
import { failedClusters, without } from '../../reach/whatif/parts.ts';
import { type Answered, compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import { type LiveLook, type LookedUp, type NetworkRequest, networkOf } from './network-of.ts';
import type { FileReader, LivePorts } from './ports.ts';
import { namedParts } from './what-if-fleet.ts';

interface TraceFleetRequest extends NetworkRequest {
  readonly packet: TraceRequest;
  /** Parts that have failed, as the user writes them. */
  readonly without: readonly string[];
}

interface TracedPacket extends LookedUp<'traced'> {
  readonly model: AddressedModel;
  readonly trace: ReturnType<typeof trace>;
  /** This trace in git's network; `null` when git does not have the clusters, or when the network is already git's. */
  readonly inGit: ReturnType<typeof trace> | null;
}

/** The path of a packet there and back. */
export async function traceFleet(ports: LivePorts, request: TraceFleetRequest): Promise<Unanswered | TracedPacket> {
  const { packet } = request;
  const clusters = clustersOf(packet);
  const network = await networkOf(ports, request, clusters);
  if (network.kind !== 'compiled') return network;
  const { diagnostics, compiled, live } = network;
  const parts = namedParts(compiled.model, request.without);
  if (!parts.ok) return { kind: 'refused', refusal: parts.refusal };
  const model = without(compiled.model, parts.parts);
  const git = live?.git ?? null;
  const isInGit = git !== null && clusters.every((it) => git.clusters.has(it));
  return {
    kind: 'traced',
    diagnostics,
    model,
    trace: live === null ? trace(model, packet) : traceLive(model, packet, live),
    live,
    inGit: isInGit ? trace(git, packet) : null,
  };
}

/** A tunnel that is down comes first: other rules and routes may only follow from it. */
function traceLive(model: SharedModel, packet: TraceRequest, live: LiveLook): ReturnType<typeof trace> {
  const why: DeadLinks = (a, b) => deadLinks(model, live, new Set([a, b]))(a, b);
  const asViews = trace(model, packet, { rules: () => undefined, lackingRoute: () => undefined });
  const { from, to, through } = packet;
  if (to.kind === 'cluster' && through === undefined && asViews.route.kind === 'through') {
    const reasons = why(from.cluster, to.cluster);
    if (reasons.length > 0) return withoutOwnLink(asViews, [from.cluster, to.cluster], reasons);
  }
  const ended = endAtDeadLink(asViews, why);
  return ended === asViews ? trace(model, packet, live.state) : ended;
}

interface TracedPairs extends LookedUp<'traced-all'> {
  readonly all: AllPairs;
}

/** The fate of a packet from each cluster to each other one. */
export async function tracePairs(
  ports: LivePorts,
  request: NetworkRequest & Pick<TraceFleetRequest, 'without'>,
): Promise<Unanswered | TracedPairs> {
  const network = await networkOf(ports, request, []);
  if (network.kind !== 'compiled') return network;
  const { diagnostics, compiled, live } = network;
  const parts = namedParts(compiled.model, request.without);
  if (!parts.ok) return { kind: 'refused', refusal: parts.refusal };
  const model = without(compiled.model, parts.parts);
  const failed = failedClusters(parts.parts);
  return {
    kind: 'traced-all',
    diagnostics,
    all:
      live === null
        ? traceAll(model, failed)
        : endPairsAtDeadLinks(traceAllLive(model, live.state, failed), deadLinks(model, live, new Set(live.looked))),
    live,
  };
}

/** Maps two of some clusters to what stops their link, reported by either end. */
function deadLinks(
  model: AddressedModel,
  { faults, differences, git, looked }: LiveLook,
  clusters: ReadonlySet<string>,
): DeadLinks {
  const idOf = (a: string, b: string): string => {
    const [first, second] = inOrder(a, b);
    return printLinkId({ first, second });
  };
  const byLink = groupBy(
    faults.filter((it) => it.stops),
    (it) => [idOf(it.cluster, it.peer)],
  );
  const found = differences(({ cluster, peer }) => peer !== null && clusters.has(cluster) && clusters.has(peer)) ?? [];
  const stopping = groupBy(found, ({ cluster, problem: { peer, stops } }) =>
    stops && peer !== null ? [idOf(cluster, peer)] : [],
  );
  const isGone = (a: string, b: string): boolean =>
    (git?.clusters.get(a)?.peers.has(b) ?? false) &&
    !model.clusters.get(a)?.peers.has(b) &&
    (looked.includes(a) || looked.includes(b));
  return (a, b) => {
    const reasons = [
      ...(byLink.get(idOf(a, b)) ?? []).map(faultText),
      ...(stopping.get(idOf(a, b)) ?? []).map((it) => it.problem.diagnostic.message),
    ];
    return reasons.length === 0 && isGone(a, b) ? ['git has it, and the clusters do not'] : reasons;
  };
}

function clustersOf({ from, to, through }: TraceRequest): readonly string[] {
  const named = [from.cluster, to.kind === 'cluster' ? to.cluster : undefined, through];
  return named.filter((it) => it !== undefined);
}

interface TraceServiceRequest extends TopologyRequest {
  readonly service: ServiceName;
  readonly without: readonly string[];
  /** The cluster whose pods use the Service; `null` for each cluster that has it. */
  readonly from: string | null;
}

interface TracedService extends Answered<'traced-service'> {
  readonly model: SharedModel;
  readonly service: ServiceName;
  readonly namespace: OffloadedNamespace;
  /** The clusters that use the Service; `paths` is `null` for a cluster that does not have it. */
  readonly senders: readonly { readonly from: string; readonly paths: readonly EndpointPath[] | null }[];
}

/** Traces the paths from the pods of a cluster to the endpoints of a Service in an offloaded namespace. */
export async function traceService(
  files: FileReader,
  request: TraceServiceRequest,
): Promise<Unanswered | TracedService> {
  const { service, from } = request;
  const clusters = [from, service.of].filter((it) => it !== null);
  const topology = await compileTopology(files, request, { only: [], clusters, withoutAssertions: true });
  if (topology.kind !== 'compiled') return topology;
  const parts = namedParts(topology.compiled.model, request.without);
  if (!parts.ok) return { kind: 'refused', refusal: parts.refusal };
  const model = without(topology.compiled.model, parts.parts);
  const found = findNamespace(model, service);
  if (!found.ok)
    return { kind: 'refused', refusal: { kind: 'no-service', problem: found.problem, advice: found.hint } };
  const { namespace } = found;
  const fates = pairFatesOf(model);
  const senders = from === null ? serviceClusters(namespace) : [clusterNamed(model, from)];
  return {
    kind: 'traced-service',
    diagnostics: topology.diagnostics,
    model,
    service,
    namespace,
    senders: senders.map((it) => ({
      from: it.name,
      paths: endpointPaths(model, namespace, clusterNamed(model, it.name), fates) ?? null,
    })),
  };
}
