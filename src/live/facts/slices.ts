import {
  CREATE_VIRTUAL_NODE_ANNOTATION,
  ORIGIN_ID_LABEL,
  REPLICATED_LABEL,
  RESOURCE_SLICE_LABEL,
} from '../../base/releases/labels.ts';
import { booleanAt, isJsonMap, type Json, type JsonMap, jsonAt, listAt, textAt, textMapAt } from '../dumps/json.ts';
import { type KubernetesObject, type Place, placeOf, remoteOf } from '../dumps/kubernetes-object.ts';

export interface ObservedSlice extends Place {
  readonly isCopy: boolean;
  readonly consumer: string | null;
  readonly provider: string | null;
  readonly class: string;
  readonly resources: Readonly<Record<string, string>>;
  /** PEM in base64. */
  readonly request: string | null;
  /** True when Liqo creates a virtual node for it. */
  readonly makesNode: boolean;
  /** True when the provider gives it no further resources. */
  readonly isCordoned: boolean;
  /** `Accepted` or `Denied`, by type: `Authentication` and `Resources`. */
  readonly conditions: ReadonlyMap<string, string>;
  /** Labels that the provider gives to the virtual node. */
  readonly nodeLabels: Readonly<Record<string, string>>;
}

export interface ObservedVirtualNode extends Place {
  readonly provider: string;
  /** The slice that it was created from; `null` for one that a user created. */
  readonly slice: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Json[];
  /** `null` when the chart decides. */
  readonly createNode: boolean | null;
  readonly disableNetworkCheck: boolean | null;
  readonly runtimeClass: string | null;
  /** Other fields of `spec.offloadingPatch` that are set. */
  readonly patched: readonly string[];
}

/** A cluster's ResourceSlice, or a consumer's copy. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go. */
export function observeSlice(cluster: string, object: KubernetesObject): ObservedSlice {
  const { metadata, spec, status } = object;
  const { labels = {}, annotations = {} } = metadata;
  const isCopy = labels[REPLICATED_LABEL] === 'true';
  const remote = remoteOf(object);
  return {
    ...placeOf(object),
    isCopy,
    consumer: isCopy ? (textAt(labels, ORIGIN_ID_LABEL) ?? remote) : cluster,
    provider: isCopy ? cluster : (remote ?? textAt(spec, 'providerClusterID') ?? null),
    class: textAt(spec, 'class') ?? '',
    resources: quantitiesAt(jsonAt(spec, 'resources')),
    request: textAt(spec, 'csr') ?? null,
    makesNode: isSet(annotations[CREATE_VIRTUAL_NODE_ANNOTATION]),
    isCordoned: isCordoned(annotations['liqo.io/cordon']),
    conditions: conditionsAt(listAt(status, 'conditions')),
    nodeLabels: textMapAt(status, 'nodeLabels'),
  };
}

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/virtualnodecreator-controller. */
const isSet = (annotation: string | undefined): boolean =>
  annotation !== undefined && annotation !== '' && annotation.toLowerCase() !== 'false';

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/quotacreator-controller. */
const isCordoned = (annotation: string | undefined): boolean =>
  annotation !== undefined && !['false', 'False', '0'].includes(annotation);

/** An API server writes quantities as texts. In a file written by hand, a number means the same text. */
function quantitiesAt(found: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonMap(found)) return {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, it]) =>
      typeof it === 'string' || typeof it === 'number' ? [[key, String(it)]] : [],
    ),
  );
}

function conditionsAt(conditions: readonly Json[]): ReadonlyMap<string, string> {
  return new Map(
    conditions.flatMap((it) => {
      const [type, status] = [textAt(it, 'type'), textAt(it, 'status')];
      return type === undefined || status === undefined ? [] : [[type, status] as const];
    }),
  );
}

/**
 * Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/virtualnode_types.go.
 * @param defaults spec of the chart's virtual kubelet options; `null` when they are not known
 */
export function observeVirtualNode(object: KubernetesObject, defaults: JsonMap | null): readonly ObservedVirtualNode[] {
  const { spec, metadata } = object;
  const provider = textAt(spec, 'clusterID');
  if (provider === undefined) return [];
  const patch = jsonAt(spec, 'offloadingPatch');
  return [
    {
      ...placeOf(object),
      provider,
      slice: textAt(metadata.labels, RESOURCE_SLICE_LABEL) ?? null,
      labels: textMapAt(spec, 'labels'),
      annotations: textMapAt(spec, 'annotations'),
      taints: listAt(spec, 'taints'),
      createNode: booleanAt(spec, 'createNode'),
      disableNetworkCheck: booleanAt(spec, 'disableNetworkCheck'),
      runtimeClass: textAt(patch, 'runtimeClassName') ?? null,
      patched: isJsonMap(patch) ? Object.keys(patch).filter((it) => !isCopied(it, patch[it], defaults)) : [],
    },
  ];
}

/**
 * True when weft reads the field elsewhere, or when Liqo copied it: the selector from the slice, the fields that are
 * not reflected from the virtual kubelet options. When the options are not known, these fields count as copied. Source:
 * liqotech/liqo@v1.2.0 pkg/webhooks/virtualnode.
 */
function isCopied(field: string, value: Json | undefined, defaults: JsonMap | null): boolean {
  if (field === 'runtimeClassName' || field === 'nodeSelector') return true;
  if (field !== 'annotationsNotReflected' && field !== 'labelsNotReflected') return false;
  return defaults === null || JSON.stringify(value) === JSON.stringify(defaults[field]);
}
