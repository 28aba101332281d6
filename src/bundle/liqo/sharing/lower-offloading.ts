import { OFFLOADING_API, REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import type { OffloadedNamespace } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/** The objects of an offloaded namespace; the first is the namespace itself, unless it is created in another way. */
export function lowerOffloading(offloaded: OffloadedNamespace): readonly Manifest[] {
  const { namespace, createNamespace } = offloaded;
  const own: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  return [...(createNamespace ? [own] : []), lowerNamespaceOffloading(offloaded)];
}

/**
 * A NamespaceOffloading. Liqo reads it only under this name. Providers are selected by their ID, which matches before
 * and after a virtual node exists. Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading,
 * pkg/utils/virtualnode/virtualnode.go.
 */
export function lowerNamespaceOffloading({
  namespace,
  providers,
  pods,
  mapping,
  remoteName,
}: OffloadedNamespace): Manifest {
  const ids = providers.map((it) => it.name);
  return {
    apiVersion: OFFLOADING_API,
    kind: 'NamespaceOffloading',
    metadata: { name: 'offloading', namespace },
    spec: {
      clusterSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: REMOTE_CLUSTER_LABEL, ...isOneOf(ids) }] }] },
      namespaceMappingStrategy: mapping,
      podOffloadingStrategy: pods,
      remoteNamespaceName: mapping === 'SelectedName' ? remoteName : undefined,
    },
  };
}

/**
 * The expression that selects clusters. Liqo copies it into the affinity of pods, and Kubernetes refuses those with an
 * empty list. A node without an ID is one of the cluster itself. Source: kubernetes/kubernetes@v1.35.0
 * pkg/apis/core/validation/validation.go (ValidateNodeSelectorRequirement).
 */
const isOneOf = (ids: readonly string[]) =>
  ids.length === 0 ? { operator: 'DoesNotExist' } : { operator: 'In', values: ids };
