import {
  CREATE_VIRTUAL_NODE_ANNOTATION,
  ORIGIN_ID_LABEL,
  REMOTE_CLUSTER_LABEL,
  REPLICATED_LABEL,
} from '../../base/releases/labels.ts';
import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import { placeOf, textMapAt } from './field.ts';
import type { ObservedSlice } from './observed-sharing.ts';

/** A ResourceSlice of a cluster, or the copy of one of a consumer. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go. */
export function observeSlice(cluster: string, object: KubernetesObject): ObservedSlice {
  const { metadata, spec, status } = object;
  const { labels = {}, annotations = {} } = metadata;
  const isCopy = labels[REPLICATED_LABEL] === 'true';
  const remote = textAt(labels, REMOTE_CLUSTER_LABEL);
  return {
    ...placeOf(object),
    isCopy,
    consumer: isCopy ? (textAt(labels, ORIGIN_ID_LABEL) ?? remote ?? null) : cluster,
    provider: isCopy ? cluster : (remote ?? textAt(spec, 'providerClusterID') ?? null),
    class: textAt(spec, 'class') ?? '',
    resources: quantitiesAt(jsonAt(spec, 'resources')),
    request: textAt(spec, 'csr') ?? null,
    makesNode: isSet(annotations[CREATE_VIRTUAL_NODE_ANNOTATION]),
    isCordoned: isCordoned(annotations['liqo.io/cordon']),
    conditions: conditionsAt(jsonAt(status, 'conditions')),
    nodeLabels: textMapAt(status, 'nodeLabels'),
  };
}

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/virtualnodecreator-controller. */
const isSet = (annotation: string | undefined): boolean =>
  annotation !== undefined && annotation !== '' && annotation.toLowerCase() !== 'false';

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/quotacreator-controller. */
const isCordoned = (annotation: string | undefined): boolean =>
  annotation !== undefined && !['false', 'False', '0'].includes(annotation);

/** An API server writes texts; whoever wrote a number meant that text. */
function quantitiesAt(found: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonMap(found)) return {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, it]) =>
      typeof it === 'string' || typeof it === 'number' ? [[key, String(it)]] : [],
    ),
  );
}

function conditionsAt(found: Json | undefined): ReadonlyMap<string, string> {
  const conditions = Array.isArray(found) ? (found as readonly Json[]) : [];
  return new Map(
    conditions.flatMap((it) => {
      const [type, status] = [textAt(it, 'type'), textAt(it, 'status')];
      return type === undefined || status === undefined ? [] : [[type, status] as const];
    }),
  );
}
