import { OFFLOADING_API } from '../../../base/releases/api-versions.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share, SharedModel } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { remoteNamespaces } from './remote-namespaces.ts';
import { originalLabels, replicaLabels } from './replica-labels.ts';
import { acceptedSlices } from './rest-state.ts';

/**
 * Which namespaces of a consumer are where in a provider, at both ends: one for each pair with a virtual node.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller (namespacemap.go),
 * namespacemap-controller.
 */
export function expectedNamespaceMaps(
  borrows: readonly Share[],
  lends: readonly Share[],
  model: SharedModel,
): readonly Manifest[] {
  const offloads = (it: Share): boolean => acceptedSlices(it).length > 0;
  return [
    ...borrows
      .filter(offloads)
      .map((it) => namespaceMap(it, model, [namespaceIn(it.consumer, it.provider.name), originalLabels(it)])),
    ...lends
      .filter(offloads)
      .map((it) => namespaceMap(it, model, [namespaceIn(it.provider, it.consumer.name), replicaLabels(it)])),
  ];
}

function namespaceMap(
  share: Share,
  model: SharedModel,
  [namespace, labels]: readonly [string, Readonly<Record<string, string>>],
): Manifest {
  const namespaces = remoteNamespaces([share], model).map((it) => it.offloaded);
  const map = {
    apiVersion: OFFLOADING_API,
    kind: 'NamespaceMap',
    metadata: { name: share.provider.name, namespace, labels },
  };
  if (namespaces.length === 0) return map;
  return {
    ...map,
    spec: { desiredMapping: Object.fromEntries(namespaces.map((it) => [it.namespace, it.remoteName])) },
    status: {
      currentMapping: Object.fromEntries(
        namespaces.map((it) => [it.namespace, { phase: 'Accepted', remoteNamespace: it.remoteName }]),
      ),
    },
  };
}
