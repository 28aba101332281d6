import type { Part } from '../checks/compare-part.ts';
import type { ExpectedShare, ExpectedSlice } from '../expected/expect-shares.ts';
import { aboutRemote, KEPT, type WantedObject } from './wanted-object.ts';

/**
 * What the topology sets of a virtual node; Liqo makes the rest from the slice. Nothing without settings. No tool deletes it:
 * Liqo does, with the slice.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/virtualnodecreator-controller, pkg/.../offloading/forge/virtualnode.go.
 */
export function wantedVirtualNode(share: ExpectedShare, { name, virtualNode }: ExpectedSlice): readonly WantedObject[] {
  const { provider, namespaceOfProvider: namespace } = share;
  if (virtualNode === null) return [];
  const { labels, annotations, taints, createNode, networkCheck, runtimeClass } = virtualNode;
  const spec: Record<string, Part> = {
    clusterID: provider,
    kubeconfigSecretRef: { name: `kubeconfig-resourceslice-${name}` },
    labels: { ...labels, ...aboutRemote(provider) },
  };
  if (Object.keys(annotations).length > 0) spec['annotations'] = annotations;
  if (taints.length > 0) spec['taints'] = taints.map((it) => ({ ...it }));
  if (createNode !== null) spec['createNode'] = createNode;
  if (networkCheck !== null) spec['disableNetworkCheck'] = !networkCheck;
  if (runtimeClass !== null) spec['offloadingPatch'] = { runtimeClassName: runtimeClass };
  const metadata = {
    name,
    namespace,
    labels: { ...aboutRemote(provider), 'liqo.io/resourceslice-name': name },
    annotations: KEPT,
  };
  return [{ apiVersion: 'offloading.liqo.io/v1beta1', kind: 'VirtualNode', metadata, spec }];
}
