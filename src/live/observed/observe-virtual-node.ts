import { RESOURCE_SLICE_LABEL } from '../../base/releases/labels.ts';
import { isJsonMap, type Json, type JsonMap, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import { placeOf, textMapAt } from './field.ts';
import type { ObservedVirtualNode } from './observed-sharing.ts';

/**
 * Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/virtualnode_types.go.
 *
 * @param defaults spec of the options of virtual kubelets, as the chart has them; `null` where they are not known
 */
export function observeVirtualNode(object: KubernetesObject, defaults: JsonMap | null): readonly ObservedVirtualNode[] {
  const { spec, metadata } = object;
  const provider = textAt(spec, 'clusterID');
  if (provider === undefined) return [];
  const taints = jsonAt(spec, 'taints');
  const patch = jsonAt(spec, 'offloadingPatch');
  return [
    {
      ...placeOf(object),
      provider,
      slice: textAt(metadata.labels, RESOURCE_SLICE_LABEL) ?? null,
      labels: textMapAt(spec, 'labels'),
      annotations: textMapAt(spec, 'annotations'),
      taints: Array.isArray(taints) ? (taints as readonly Json[]) : [],
      createNode: booleanAt(spec, 'createNode'),
      disableNetworkCheck: booleanAt(spec, 'disableNetworkCheck'),
      runtimeClass: textAt(patch, 'runtimeClassName') ?? null,
      patched: isJsonMap(patch) ? Object.keys(patch).filter((it) => !isCopied(it, patch[it], defaults)) : [],
    },
  ];
}

/**
 * Whether weft reads a field of the patch, or Liqo has copied it: the selector from the slice, what is not reflected from the
 * options of virtual kubelets. Where these are not known, that is what Liqo has copied.
 * Source: liqotech/liqo@v1.2.0 pkg/webhooks/virtualnode.
 */
function isCopied(field: string, value: Json | undefined, defaults: JsonMap | null): boolean {
  if (field === 'runtimeClassName' || field === 'nodeSelector') return true;
  if (field !== 'annotationsNotReflected' && field !== 'labelsNotReflected') return false;
  return defaults === null || JSON.stringify(value) === JSON.stringify(defaults[field]);
}

function booleanAt(value: Json | undefined, key: string): boolean | null {
  const found = jsonAt(value, key);
  return typeof found === 'boolean' ? found : null;
}
