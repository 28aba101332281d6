import { REMOTE_CLUSTER_LABEL, TENANT_NAMESPACE_LABEL } from '../../base/releases/labels.ts';
import type { Span } from '../../base/source/source.ts';
import { type Json, textAt } from './json.ts';

/** A type alias, not an interface, so that it is assignable to `Json`. */
type ObjectMetadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** All other fields from the API server: `uid`, `finalizers`, `deletionTimestamp` ... */
  readonly [field: string]: Json | undefined;
};

/** An object of an API server, with `spec`, `status`, `data` and every other field as received. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  /**
   * Written by weft into an object that was read in part: the parts that were read, besides its identity. The state of
   * all others is unknown.
   */
  readonly partsRead?: readonly string[];
  readonly [field: string]: Json | undefined;
}

/** An object of a dump, with its place, which is computed on demand: it is slow, and only messages need it. */
export interface LiveObject {
  readonly object: KubernetesObject;
  readonly at: () => Span;
}

/** The group of an API version: `networking.liqo.io` for `networking.liqo.io/v1beta1`; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** The mark that a dump contains every object of a kind; its name is the resource. */
export const isAskedFor = (apiVersion: string, kind: string): boolean =>
  apiVersion === 'weft/v1' && kind === 'AskedFor';

/** The identity of an object in its cluster, regardless of the API version: `Kind.group namespace/name`. */
export const objectKey = (it: KubernetesObject): string =>
  `${kindKeyOf(it)} ${it.metadata.namespace ?? ''}/${it.metadata.name}`;

/** The identity of a kind: `Configuration.networking.liqo.io`, `Namespace`. */
export const kindKey = (group: string, kind: string): string => (group === '' ? kind : `${kind}.${group}`);

export const kindKeyOf = ({ apiVersion, kind }: KubernetesObject): string => kindKey(groupOf(apiVersion), kind);

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

export const placeOf = ({ metadata }: KubernetesObject): Place => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** The remote cluster in an object's label; `null` when it has none or an empty one. The label may have any text. */
export const remoteOf = ({ metadata }: KubernetesObject): string | null =>
  textAt(metadata.labels, REMOTE_CLUSTER_LABEL) ?? null;

/**
 * True for a namespace in which Liqo keeps its objects for a remote cluster. An offloaded namespace has the label of
 * the remote cluster, too, but not this one. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/namespaceManager.go,
 * pkg/liqo-controller-manager/offloading/namespacemap-controller/namespace_lifecycle.go.
 */
export const isTenantNamespace = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Namespace' && metadata.labels?.[TENANT_NAMESPACE_LABEL] === 'true';

/** The known state of a live cluster. */
export interface LiveCluster {
  readonly cluster: string;
  /** The place from which it was read, the first of several: a file, a folder of files, or a context. */
  readonly from: string;
  /** True when the dump contains this cluster ID, false when it is only the name of the file. */
  readonly isCertain?: boolean;
  /** By `objectKey`. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /**
   * Kinds of which all objects are known, as `kindKey` prints them: those that a dump was asked for, and without a word
   * about that every kind that it contains.
   */
  readonly listed: ReadonlySet<string>;
  /** True when every other kind was left out on purpose; otherwise it may have been dumped, and have no objects. */
  readonly isListedOnly?: boolean;
  /** Kinds that the user may not list there. */
  readonly forbidden: ReadonlySet<string>;
}

/** Merges several reads of one cluster: all objects, each in its newest state. */
export function liveTogether(cluster: string, parts: readonly LiveCluster[]): LiveCluster {
  return {
    cluster,
    from: parts[0]?.from ?? cluster,
    isCertain: parts.some((it) => it.isCertain === true),
    objects: newestByKey(
      parts.flatMap((it) => [...it.objects.values()]),
      (it) => it,
    ),
    listed: new Set(parts.flatMap((it) => [...it.listed])),
    isListedOnly: parts.every((it) => it.isListedOnly === true),
    forbidden: new Set(parts.flatMap((it) => [...it.forbidden])),
  };
}

/** Returns the newest state of each object, by `objectKey`. A state may contain more than the object. */
export function newestByKey<T>(states: Iterable<T>, objectOf: (state: T) => KubernetesObject): ReadonlyMap<string, T> {
  const newest = new Map<string, T>();
  for (const it of states) {
    const key = objectKey(objectOf(it));
    const earlier = newest.get(key);
    if (earlier === undefined || !isNewer(objectOf(earlier), objectOf(it))) newest.set(key, it);
  }
  return newest;
}

/** True when the first of two states has the higher resource version. Without versions, the second counts as newer. */
function isNewer(first: KubernetesObject, second: KubernetesObject): boolean {
  const [a, b] = [first, second].map((it) => it.metadata['resourceVersion']);
  if (typeof a !== 'string' || typeof b !== 'string' || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a > b : a.length > b.length;
}
