import { isJsonMap, type Json, jsonAt, textAt } from '../live/json.ts';
import type { KubernetesObject } from '../live/kubernetes-object.ts';
import { RESOURCE_SLICE_LABEL } from '../releases/labels.ts';
import { placeOf, textMapAt } from './field.ts';
import type { ObservedVirtualNode } from './observed-sharing.ts';

/** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/virtualnode_types.go. */
export function observeVirtualNode(object: KubernetesObject): readonly ObservedVirtualNode[] {
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
      patched: isJsonMap(patch) ? Object.keys(patch).filter((it) => !KNOWN.has(it)) : [],
    },
  ];
}

/** Liqo copies the selector from the slice. */
const KNOWN: ReadonlySet<string> = new Set(['runtimeClassName', 'nodeSelector']);

function booleanAt(value: Json | undefined, key: string): boolean | null {
  const found = jsonAt(value, key);
  return typeof found === 'boolean' ? found : null;
}
