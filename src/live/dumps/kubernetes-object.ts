import { REMOTE_CLUSTER_LABEL, TENANT_NAMESPACE_LABEL } from '../../base/releases/labels.ts';
import type { Span } from '../../base/source/source.ts';
import { type Json, textAt } from './json.ts';

/** An alias and not an interface, so that it counts as JSON. */
type ObjectMetadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whatever else the API server wrote: `uid`, `finalizers`, `deletionTimestamp` ... */
  readonly [field: string]: Json | undefined;
};

/** An object of an API server: `spec`, `status`, `data` and every other field as the server wrote them. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  /**
   * Written by weft into an object of which not everything was read: the parts that were, besides what identifies it. Of the
   * others it is not known what they are.
   */
  readonly partsRead?: readonly string[];
  readonly [field: string]: Json | undefined;
}

/** An object of a dump, with its place in it. Finding the place takes a while, so only messages ask for it. */
export interface LiveObject {
  readonly object: KubernetesObject;
  readonly at: () => Span;
}

/** `networking.liqo.io` of `networking.liqo.io/v1beta1`; empty for the core of Kubernetes. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** What identifies an object in a cluster, whatever version of its API shows it: `Kind.group namespace/name`. */
export const objectKey = (it: KubernetesObject): string =>
  `${kindKeyOf(it)} ${it.metadata.namespace ?? ''}/${it.metadata.name}`;

/** `Configuration.networking.liqo.io`, `Namespace`. */
export const kindKey = (group: string, kind: string): string => (group === '' ? kind : `${kind}.${group}`);

/** The kind of an object, as `kindKey` prints it. */
export const kindKeyOf = ({ apiVersion, kind }: KubernetesObject): string => kindKey(groupOf(apiVersion), kind);

/** Namespace and name of an object. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

export const placeOf = ({ metadata }: KubernetesObject): Place => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** The remote cluster that an object is about, by its label. It may have any text, and an empty one names no cluster. */
export const remoteOf = ({ metadata }: KubernetesObject): string | null =>
  textAt(metadata.labels, REMOTE_CLUSTER_LABEL) ?? null;

/**
 * A namespace in which Liqo keeps what it has for a remote cluster. A namespace that a consumer offloads has the label of the
 * remote cluster, too, without this one. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/namespaceManager.go,
 * pkg/liqo-controller-manager/offloading/namespacemap-controller/namespace_lifecycle.go.
 */
export const isTenantNamespace = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Namespace' && metadata.labels?.[TENANT_NAMESPACE_LABEL] === 'true';

/** What is known of a live cluster. */
export interface LiveCluster {
  readonly cluster: string;
  /** True when its own ID is known to be this name, and not only what a file is called. */
  readonly isCertain?: boolean;
  /** By `objectKey`. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /**
   * Kinds of which every object is known, as `kindKey` prints them. A dump does not show which kinds somebody dumped, so of
   * a kind that it contains, all objects count as dumped.
   */
  readonly listed: ReadonlySet<string>;
  /** Kinds that may not be read there. */
  readonly forbidden: ReadonlySet<string>;
}

/** What several looks at one cluster show: all objects, each in its newest state. */
export function liveTogether(cluster: string, parts: readonly LiveCluster[]): LiveCluster {
  return {
    cluster,
    isCertain: parts.some((it) => it.isCertain === true),
    objects: newestByKey(
      parts.flatMap((it) => [...it.objects.values()]),
      (it) => it,
    ),
    listed: new Set(parts.flatMap((it) => [...it.listed])),
    forbidden: new Set(parts.flatMap((it) => [...it.forbidden])),
  };
}

/** Of each object its newest state, by what identifies the object. Each object may have something else with it. */
export function newestByKey<T>(states: Iterable<T>, objectOf: (state: T) => KubernetesObject): ReadonlyMap<string, T> {
  const newest = new Map<string, T>();
  for (const it of states) {
    const key = objectKey(objectOf(it));
    const earlier = newest.get(key);
    if (earlier === undefined || !isNewer(objectOf(earlier), objectOf(it))) newest.set(key, it);
  }
  return newest;
}

/** Whether the first of two states is the later one, by the version that its API server counts up; without one the second is. */
function isNewer(first: KubernetesObject, second: KubernetesObject): boolean {
  const [a, b] = [first, second].map((it) => it.metadata['resourceVersion']);
  if (typeof a !== 'string' || typeof b !== 'string' || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a > b : a.length > b.length;
}
