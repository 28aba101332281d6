import { TENANT_NAMESPACE_LABEL } from '../../base/releases/labels.ts';
import type { Span } from '../../base/source/source.ts';
import type { Json } from './json.ts';

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
export function objectKey({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${kindKey(groupOf(apiVersion), kind)} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/** `Configuration.networking.liqo.io`, `Namespace`. */
export const kindKey = (group: string, kind: string): string => (group === '' ? kind : `${kind}.${group}`);

/**
 * A namespace in which Liqo keeps what it has for a remote cluster. A namespace that a consumer offloads has the label of the
 * remote cluster, too, without this one. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/namespaceManager.go,
 * pkg/liqo-controller-manager/offloading/namespacemap-controller/namespace_lifecycle.go.
 */
export const isTenantNamespace = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Namespace' && metadata.labels?.[TENANT_NAMESPACE_LABEL] === 'true';
