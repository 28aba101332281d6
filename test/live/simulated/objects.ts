/** The content of simulated clusters: objects of Kubernetes, as plain values. */
export interface SimulatedObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec?: Fields;
  status?: Fields;
  data?: Record<string, string>;
  [field: string]: unknown;
}

export interface Metadata {
  name: string;
  namespace?: string;
  labels?: Texts;
  annotations?: Texts;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export type Texts = Record<string, string>;
export type Fields = Record<string, unknown>;

/** A list as `kubectl get ... -A -o json` prints it. */
export interface KubernetesList {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly metadata: { readonly resourceVersion: '' };
  readonly items: readonly SimulatedObject[];
}

export const NETWORKING = 'networking.liqo.io/v1beta1';
export const IPAM_API = 'ipam.liqo.io/v1alpha1';
export const REMOTE = 'liqo.io/remote-cluster-id';
export const GATEWAY_RESOURCE = 'networking.liqo.io/gateway-resource';

/** The releases that are simulated, by their lines. */
export type ReleaseLine = '1.0' | '1.1' | '1.2';

export const VERSIONS: Readonly<Record<ReleaseLine, string>> = { '1.0': 'v1.0.3', '1.1': 'v1.1.2', '1.2': 'v1.2.0' };

export const LINES = Object.keys(VERSIONS) as readonly ReleaseLine[];

/** `Configuration liqo-tenant-rome/rome` */
export const keyOf = (kind: string, name: string, namespace = ''): string => `${kind} ${namespace}/${name}`;

export const keyOfObject = ({ kind, metadata: { name, namespace } }: SimulatedObject): string =>
  keyOf(kind, name, namespace);

/** The key of an object for a controller: `liqo-tenant-rome/rome`. */
export const requestOf = ({ metadata: { name, namespace = '' } }: SimulatedObject): string => `${namespace}/${name}`;

/** A field inside of an object, by its path; what it is, the reader knows. */
export function field<T>(from: unknown, ...path: readonly (string | number)[]): T | undefined {
  let at = from;
  for (const it of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[it];
  }
  return at as T | undefined;
}

/** An owner as controller-runtime's SetControllerReference writes one. */
export const controlledBy = ({ apiVersion, kind, metadata }: SimulatedObject): OwnerReference => ({
  ...ownedBy({ apiVersion, kind, metadata }),
  controller: true,
  blockOwnerDeletion: true,
});

export const ownedBy = ({ apiVersion, kind, metadata }: SimulatedObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
});

/** A copy of a value of JSON. structuredClone, which copies anything, takes several times as long. */
export function copied<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copied) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = copied(value[key]);
  return copy as T;
}

/** True if two values are printed alike by `canonical`. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((it, i) => isEqual(it, b[i]));
  const [ours, theirs] = [a as Fields, b as Fields];
  const isSame = (key: string): boolean => isEqual(ours[key], theirs[key]);
  return Object.keys(ours).every(isSame) && Object.keys(theirs).every((key) => key in ours || isSame(key));
}

/** A value as text, equal for equal values whatever the order of their keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const entries = Object.entries(value)
    .filter(([, it]) => it !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(',')}}`;
}
