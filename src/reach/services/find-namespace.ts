import { quotedNames } from '../../base/core/words.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';

/** The name of a Service. `of` is the cluster that offloads its namespace; `null` when only one cluster does. */
export interface ServiceName {
  readonly namespace: string;
  readonly service: string;
  readonly of: string | null;
}

type NamespaceReading =
  | { readonly ok: true; readonly namespace: OffloadedNamespace }
  | { readonly ok: false; readonly problem: string; readonly hint: string };

/** The offloaded namespace that a Service is in. */
export function findNamespace(
  { offloadings }: Pick<SharedModel, 'offloadings'>,
  { namespace, of }: Omit<ServiceName, 'service'>,
): NamespaceReading {
  const named = offloadings.filter((it) => it.namespace === namespace);
  const found = named.filter((it) => of === null || it.cluster.name === of);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return { ok: true, namespace: first };
  const clusters = named.map((it) => it.cluster.name);
  if (first !== undefined) {
    return {
      ok: false,
      problem: `several clusters offload a namespace "${namespace}": ${quotedNames(clusters)}`,
      hint: `say which one: \`of: ${first.cluster.name}\` in an assertion, --of ${first.cluster.name} for trace`,
    };
  }
  const abroad = offloadings.find((it) => it.remoteName === namespace);
  const advice =
    abroad === undefined
      ? 'add the namespace to `offloading`'
      : `in its providers "${abroad.namespace}" of "${abroad.cluster.name}" is called so: write ${abroad.namespace}`;
  const owner = of === null ? 'no cluster offloads' : `"${of}" does not offload`;
  return {
    ok: false,
    problem: `${owner} a namespace "${namespace}"`,
    hint: clusters.length > 0 ? `name one of: ${clusters.join(', ')}` : advice,
  };
}

/** The clusters that have the Services of an offloaded namespace: its own, then the providers by name. */
export const serviceClusters = ({ cluster, providers }: OffloadedNamespace): readonly AddressedCluster[] => [
  cluster,
  ...providers,
];

/**
 * The clusters in which pods of an offloaded namespace may run.
 * Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go (PodOffloadingStrategy).
 */
export function endpointClusters(namespace: OffloadedNamespace): readonly AddressedCluster[] {
  switch (namespace.pods) {
    case 'Local':
      return [namespace.cluster];
    case 'Remote':
      return namespace.providers;
    case 'LocalAndRemote':
      return serviceClusters(namespace);
  }
}
