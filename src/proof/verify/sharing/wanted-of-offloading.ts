import type { ExpectedOffloading } from '../expected/expect-offloadings.ts';
import { keptNamespace, type WantedObject } from './wanted-object.ts';

/**
 * The objects of an offloaded namespace. Liqo reads a NamespaceOffloading under one name only.
 * Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading, apis/offloading/v1beta1/namespaceoffloading_types.go.
 */
export function wantedOfOffloading(it: ExpectedOffloading): readonly WantedObject[] {
  const isSame = it.remoteName === it.namespace;
  const mapping = it.remoteName === null ? 'DefaultName' : isSame ? 'EnforceSameName' : 'SelectedName';
  // Kubernetes refuses pods with an empty list, and Liqo gives them the expression.
  const among = it.providers.length > 0 ? { operator: 'In', values: [...it.providers] } : { operator: 'DoesNotExist' };
  const offloading: WantedObject = {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'NamespaceOffloading',
    metadata: { name: 'offloading', namespace: it.namespace },
    spec: {
      clusterSelector: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'liqo.io/remote-cluster-id', ...among }] }],
      },
      namespaceMappingStrategy: mapping,
      podOffloadingStrategy: it.pods,
      remoteNamespaceName: mapping === 'SelectedName' ? (it.remoteName ?? undefined) : undefined,
    },
  };
  return [...(it.createNamespace ? [keptNamespace(it.namespace)] : []), offloading];
}
