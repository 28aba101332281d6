import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { EndpointPath } from '../../reach/services/endpoint-path.ts';
import type { ServiceTrace } from './print-service-trace.ts';
import { traceDocument } from './trace-document.ts';

/** The paths to a Service as data. Programs rely on it: keys are added, never removed or given another meaning. */
interface ServiceTraceDocument {
  readonly service: string;
  /** The cluster that offloads the namespace. */
  readonly of: string;
  readonly from: string;
  /** False when the cluster does not have the Service. */
  readonly exists: boolean;
  readonly endpoints: readonly {
    readonly cluster: string;
    readonly way: string;
    readonly fate: string;
    readonly why: string;
    readonly change: string | null;
    readonly trace: ReturnType<typeof traceDocument> | null;
  }[];
}

export const serviceTraceDocument = (
  model: AddressedModel,
  { service, of, from, paths }: ServiceTrace,
): ServiceTraceDocument => ({
  service,
  of,
  from,
  exists: paths !== null,
  endpoints: (paths ?? []).map((it) => endpointRow(model, it)),
});

const endpointRow = (model: AddressedModel, { cluster, way, fate, why, change, trace }: EndpointPath) => ({
  cluster,
  way,
  fate,
  why,
  change,
  trace: trace && traceDocument(model, trace()),
});
