import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import { placeOf } from './field.ts';
import type { ObservedOffloading } from './observed-sharing.ts';

/** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go. */
export function observeOffloading(object: KubernetesObject): ObservedOffloading {
  const { spec, status } = object;
  const terms = jsonAt(spec, 'clusterSelector', 'nodeSelectorTerms');
  return {
    ...placeOf(object),
    terms: Array.isArray(terms) ? (terms as readonly Json[]) : null,
    mapping: textAt(spec, 'namespaceMappingStrategy') ?? 'DefaultName',
    pods: textAt(spec, 'podOffloadingStrategy') ?? 'LocalAndRemote',
    remoteName: textAt(spec, 'remoteNamespaceName') ?? null,
    selected: selectedIn(jsonAt(status, 'remoteNamespacesConditions')),
  };
}

function selectedIn(found: Json | undefined): ReadonlyMap<string, boolean> {
  if (!isJsonMap(found)) return new Map();
  return new Map(
    Object.entries(found).flatMap(([provider, conditions]) => {
      const required = (Array.isArray(conditions) ? (conditions as readonly Json[]) : []).find(
        (it) => textAt(it, 'type') === 'OffloadingRequired',
      );
      return required === undefined ? [] : [[provider, textAt(required, 'status') === 'True'] as const];
    }),
  );
}
