import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { serviceClusters } from '../../reach/services/endpoint-clusters.ts';
import type { EndpointPath } from '../../reach/services/endpoint-path.ts';
import { endpointPaths } from '../../reach/services/endpoint-paths.ts';
import { findNamespace, type ServiceName } from '../../reach/services/find-namespace.ts';
import { pairFatesOf } from '../../reach/trace/pair-fates.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

interface TraceServiceRequest extends TopologyRequest {
  readonly service: ServiceName;
  /** The cluster whose pods use the Service; `null` for each cluster that has it. */
  readonly from: string | null;
}

export interface TracedService {
  readonly kind: 'traced-service';
  readonly diagnostics: readonly Diagnostic[];
  readonly model: SharedModel;
  readonly service: ServiceName;
  readonly namespace: OffloadedNamespace;
  /** `paths` is `null` for a cluster that does not have the Service. */
  readonly senders: readonly { readonly from: string; readonly paths: readonly EndpointPath[] | null }[];
}

/** The paths from the pods of a cluster to the endpoints of a Service of an offloaded namespace. */
export async function traceService(
  files: FileReader,
  request: TraceServiceRequest,
): Promise<Unanswered | TracedService> {
  const { service, from } = request;
  const clusters = [from, service.of].filter((it) => it !== null);
  const topology = await compileTopology(files, request, { only: [], clusters, withoutAssertions: true });
  if (topology.kind !== 'compiled') return topology;
  const { model } = topology.compiled;
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
