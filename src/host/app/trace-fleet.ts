import { faultText } from '../../answers/report/fault-text.ts';
import { groupBy } from '../../base/core/group-by.ts';
import { printLinkId } from '../../base/core/link-id.ts';
import { inOrder } from '../../base/core/order.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { LinkFault } from '../../live/faults/link-fault.ts';
import { type DeadLinks, endAtDeadLink, endPairsAtDeadLinks } from '../../reach/trace/end-at-dead-link.ts';
import { trace } from '../../reach/trace/trace.ts';
import { type AllPairs, traceAll } from '../../reach/trace/trace-all.ts';
import type { TraceRequest } from '../../reach/trace/trace-request.ts';
import { type LiveLook, type NetworkPorts, type NetworkRequest, networkOf, type Unknown } from './network-of.ts';

interface TraceFleetRequest extends NetworkRequest {
  /** The packet that is sent; `null` for one from each cluster to each other one. */
  readonly packet: TraceRequest | null;
}

export type TraceResult =
  | Unknown
  | {
      readonly kind: 'traced';
      readonly diagnostics: readonly Diagnostic[];
      readonly model: AddressedModel;
      readonly trace: ReturnType<typeof trace>;
      /** `null` for what git has. */
      readonly live: LiveLook | null;
      /** The same as git has it; `null` where git does not have the clusters, and for what git has. */
      readonly inGit: ReturnType<typeof trace> | null;
    }
  | {
      readonly kind: 'traced-all';
      readonly diagnostics: readonly Diagnostic[];
      readonly all: AllPairs;
      readonly live: LiveLook | null;
    };

/** The path of a packet there and back, or the fate of every pair of clusters. */
export async function traceFleet(ports: NetworkPorts, request: TraceFleetRequest): Promise<TraceResult> {
  const { packet } = request;
  const network = await networkOf(ports, request, clustersOf(packet));
  if (network.kind !== 'compiled') return network;
  const { diagnostics, compiled, live } = network;
  const { model } = compiled;
  const isDead = deadLinks(live?.faults ?? []);
  if (packet === null) {
    const all = traceAll(model);
    return { kind: 'traced-all', diagnostics, all: live === null ? all : endPairsAtDeadLinks(all, isDead), live };
  }
  const git = live?.git ?? null;
  const isInGit = git !== null && clustersOf(packet).every((it) => git.clusters.has(it));
  return {
    kind: 'traced',
    diagnostics,
    model,
    trace: endAtDeadLink(trace(model, packet), isDead),
    live,
    inGit: isInGit ? trace(git, packet) : null,
  };
}

/** What live objects show of links that carry nothing, from either end. */
function deadLinks(faults: readonly LinkFault[]): DeadLinks {
  const idOf = (a: string, b: string): string => {
    const [first, second] = inOrder(a, b);
    return printLinkId({ first, second });
  };
  const byLink = groupBy(
    faults.filter((it) => it.stops),
    (it) => [idOf(it.cluster, it.peer)],
  );
  return (a, b) => (byLink.get(idOf(a, b)) ?? []).map(faultText);
}

function clustersOf(packet: TraceRequest | null): readonly string[] {
  if (packet === null) return [];
  const { from, to, through } = packet;
  const named = [from.cluster, to.kind === 'cluster' ? to.cluster : undefined, through];
  return named.filter((it) => it !== undefined);
}
