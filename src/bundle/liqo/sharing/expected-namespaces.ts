import {
  NAMESPACE_MAP_ANNOTATION,
  ORIGINAL_NAME_ANNOTATION,
  REMOTE_CLUSTER_LABEL,
  SCHEDULING_LABEL,
} from '../../../base/releases/labels.ts';
import type { OffloadedNamespace } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { namespaceMapOf, type RemoteNamespace } from './remote-namespaces.ts';

/**
 * Offloaded namespaces with the label by which pods are sent elsewhere, in a consumer, and the namespaces of others, in a
 * provider. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/namespaceoffloading-controller,
 * namespacemap-controller.
 */
export function expectedNamespaces(
  offloads: readonly OffloadedNamespace[],
  lent: readonly RemoteNamespace[],
): readonly Manifest[] {
  const own = offloads.filter((it) => it.pods !== 'Local');
  return [...own.map((it) => namespace(it.namespace, { [SCHEDULING_LABEL]: 'true' })), ...lent.map(remoteNamespace)];
}

const namespace = (name: string, labels: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

const remoteNamespace = ({ share, offloaded }: RemoteNamespace): Manifest => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: offloaded.remoteName,
    labels: { [REMOTE_CLUSTER_LABEL]: share.consumer.name },
    annotations: {
      [NAMESPACE_MAP_ANNOTATION]: namespaceMapOf(share),
      [ORIGINAL_NAME_ANNOTATION]: offloaded.namespace,
    },
  },
});
