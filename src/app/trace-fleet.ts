import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { AddressedModel } from '../ipam/addressed-model.ts';
import { trace } from '../trace/trace.ts';
import { traceAll } from '../trace/trace-all.ts';
import type { TraceRequest } from '../trace/trace-request.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

interface TraceFleetRequest extends TopologyRequest {
  /** The packet that is sent; `null` for one from each cluster to each other one. */
  readonly packet: TraceRequest | null;
}

export type TraceResult =
  | Unanswered
  | {
      readonly kind: 'traced';
      readonly diagnostics: readonly Diagnostic[];
      readonly model: AddressedModel;
      readonly trace: ReturnType<typeof trace>;
    }
  | {
      readonly kind: 'traced-all';
      readonly diagnostics: readonly Diagnostic[];
      readonly pairs: ReturnType<typeof traceAll>;
    };

/** The path of a packet there and back, or the fate of every pair of clusters. */
export async function traceFleet(files: FileReader, request: TraceFleetRequest): Promise<TraceResult> {
  const { packet } = request;
  const topology = await compileTopology(files, request, {
    only: [],
    clusters: clustersOf(packet),
    withoutAssertions: true,
  });
  if (topology.kind !== 'compiled') return topology;
  const { diagnostics, compiled } = topology;
  const { model } = compiled;
  return packet === null
    ? { kind: 'traced-all', diagnostics, pairs: traceAll(model) }
    : { kind: 'traced', diagnostics, model, trace: trace(model, packet) };
}

function clustersOf(packet: TraceRequest | null): readonly string[] {
  if (packet === null) return [];
  const { from, to, through } = packet;
  const named = [from.cluster, to.kind === 'cluster' ? to.cluster : undefined, through];
  return named.filter((it) => it !== undefined);
}
