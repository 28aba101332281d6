import { byCodeUnit } from '../../base/core/collections.ts';
import { decodeBase64, encodeBase64 } from '../../base/core/encodings.ts';
import { isJsonMap, type Json, type JsonMap, jsonAt, textAt } from '../dumps/json.ts';
import { type KubernetesObject, kindKeyOf } from '../dumps/kubernetes-object.ts';

/** A part of an object that is not as promised. */
export interface Difference {
  readonly path: readonly string[];
  /** `undefined` for a part that is not promised. */
  readonly promised: Json | undefined;
  /** `undefined` for a part that is not there. */
  readonly live: Json | undefined;
}

/** Fields that are no part of what is promised; of metadata only labels and annotations are. */
const IDENTITY_FIELDS = ['apiVersion', 'kind', 'metadata', 'partsRead'];

/**
 * Where a live object differs from the promised one. Of labels, annotations and status, what is promised must be there; in
 * every other field nothing else may be. What was not read of the live object is not compared.
 */
export function* compareObjects(
  promised: KubernetesObject,
  live: KubernetesObject,
  allowed: AllowedChanges,
): Iterable<Difference> {
  const allowance = allowanceFor(kindKeyOf(promised), allowed);
  const isRead = (part: string): boolean => live.partsRead?.includes(part) ?? true;
  for (const key of ['labels', 'annotations'] as const) {
    if (isRead(`metadata.${key}`))
      yield* compare(['metadata', key], promised.metadata[key] ?? {}, live.metadata[key] ?? {}, allowance);
  }
  for (const field of new Set([...Object.keys(promised), ...Object.keys(live)])) {
    if (!IDENTITY_FIELDS.includes(field) && isRead(field))
      yield* compare([field], promised[field], live[field], allowance);
  }
}

function* compare(
  path: readonly string[],
  promised: Json | undefined,
  live: Json | undefined,
  allowance: Allowance,
): Iterable<Difference> {
  const at = path.join('.');
  if (allowance.ignored.includes(at) || (isNothing(promised) && isNothing(live))) return;
  if (promised === undefined && allowance.open.some((it) => at === it || at.startsWith(`${it}.`))) return;
  if (isJsonMap(promised) && isJsonMap(live)) {
    for (const key of new Set([...Object.keys(promised), ...Object.keys(live)])) {
      yield* compare([...path, key], promised[key], live[key], allowance);
    }
  } else if (path[0] === 'status' && areConditions(promised)) {
    yield* compareConditions(path, promised, isList(live) ? live : [], allowance);
  } else if (isList(promised) && isList(live) && promised.length === live.length && !allowance.sets.includes(at)) {
    for (const [index, it] of promised.entries()) yield* compare([...path, String(index)], it, live[index], allowance);
  } else if (textOf(promised, at, allowance) !== textOf(live, at, allowance)) {
    yield { path, promised, live };
  }
}

function textOf(value: Json | undefined, at: string, { sets, padded }: Allowance): string {
  const isPadded = typeof value === 'string' && padded.includes(at);
  return canonical(isPadded ? withoutZeros(value) : value, sets.includes(at));
}

function withoutZeros(base64: string): string {
  const { kind, bytes } = decodeBase64(base64);
  return kind === 'bytes' ? encodeBase64(bytes.slice(0, bytes.findLastIndex((it) => it !== 0) + 1)) : base64;
}

type Condition = JsonMap & { readonly type: string };

const areConditions = (value: Json | undefined): value is readonly Condition[] =>
  isList(value) && value.length > 0 && value.every((it) => isJsonMap(it) && typeof it['type'] === 'string');

/**
 * Conditions are compared by their type: Liqo writes them in any order, and some of them twice.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller/condition.go.
 */
function* compareConditions(
  path: readonly string[],
  promised: readonly Condition[],
  live: readonly Json[],
  allowance: Allowance,
): Iterable<Difference> {
  for (const it of promised) {
    const same = live.filter((one) => isJsonMap(one) && one['type'] === it.type);
    if (same.length === 0) yield { path: [...path, it.type], promised: it, live: undefined };
    const [first] = same.flatMap((one) => {
      const found = [...compare([...path, it.type], it, one, allowance)];
      return found.length === 0 ? [] : [found];
    });
    yield* first ?? [];
  }
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** What may differ in an object without being drift, because a controller writes it. Paths are keys with dots between them. */
interface Allowance {
  /** Parts that are not compared. */
  readonly ignored: readonly string[];
  /** Parts of which more may be there than is promised. */
  readonly open: readonly string[];
  /** Lists whose order means nothing. */
  readonly sets: readonly string[];
  /** Bytes as base64 that may have zero bytes at their end. */
  readonly padded: readonly string[];
}

/** What differs from pair to pair of clusters. */
interface AllowedChanges {
  /** Whether Liqo replaces certificates, in the Identity that came from git as well: both ends must. */
  readonly isRenewed: boolean;
}

/**
 * In any object: GitOps tools, Helm and Liqo add labels and annotations of their own, and a status has more than can be
 * promised: conditions have times, gateways have addresses.
 */
const EVERYWHERE: Allowance = { ignored: [], open: ['metadata', 'status'], sets: [], padded: [] };

/** Objects that Liqo makes: a bundle promises only what can be known beforehand, without certificates, keys and images. */
const MADE_BY_LIQO: Partial<Allowance> = { open: ['spec'] };

const BY_KIND: Readonly<Record<string, Partial<Allowance>>> = {
  // `spec.finalizers`. Source: kubernetes, Namespace.
  Namespace: { ignored: ['spec'] },
  // A Secret is promised by its name; of a nonce the text is compared as well.
  Secret: { open: ['data', 'type'], ignored: ['stringData', 'immutable'] },
  // Kubernetes before 1.24 adds a Secret with a token.
  ServiceAccount: { ignored: ['secrets', 'imagePullSecrets', 'automountServiceAccountToken'] },
  'Deployment.apps': MADE_BY_LIQO,
  // A controller reads several Networks of its own in another order after each start; seen with v1.2.0.
  'Configuration.networking.liqo.io': { sets: ['spec.local.cidr.pod'] },
  // Chains as lines. With several Networks of its own a cluster writes its rules in another order after each start; no two of one
  // chain match the same packet.
  'FirewallConfiguration.networking.liqo.io': { sets: ['spec.outgoing', 'spec.incoming', 'spec.pre-postrouting'] },
  // The uid of the gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/k8s.go.
  'Connection.networking.liqo.io': { open: ['spec.gatewayRef'] },
  // Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localresourceslice-controller.
  'ResourceSlice.authentication.liqo.io': { open: ['spec.consumerClusterID', 'spec.csr', 'spec.providerClusterID'] },
  // The one of a slice is made by Liqo; of the other one every field is in git. A CA that the provider was given has zero bytes
  // behind it, which a renewal copies. Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go.
  'Identity.authentication.liqo.io': {
    open: ['spec.authParams', 'spec.namespace'],
    padded: ['spec.authParams.ca'],
  },
  'Renew.authentication.liqo.io': MADE_BY_LIQO,
  'Quota.offloading.liqo.io': MADE_BY_LIQO,
  'VirtualNode.offloading.liqo.io': MADE_BY_LIQO,
  'ForeignCluster.core.liqo.io': MADE_BY_LIQO,
  // What the API server fills in. Source: external-secrets/external-secrets, apis/externalsecrets/v1.
  'ExternalSecret.external-secrets.io': MADE_BY_LIQO,
};

const IDENTITY_KIND = 'Identity.authentication.liqo.io';

/** What may differ in objects of a kind. */
export function allowanceFor(kind: string, { isRenewed }: AllowedChanges): Allowance {
  const own = BY_KIND[kind] ?? {};
  // Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
  const renewed = kind === IDENTITY_KIND && isRenewed ? ['spec.authParams.signedCRT'] : [];
  return {
    ignored: [...EVERYWHERE.ignored, ...(own.ignored ?? []), ...renewed],
    open: [...EVERYWHERE.open, ...(own.open ?? [])],
    sets: [...EVERYWHERE.sets, ...(own.sets ?? [])],
    padded: [...EVERYWHERE.padded, ...(own.padded ?? [])],
  };
}

/** A value as text, equal for equal values whatever the order of their keys; of a set also that of its items. */
function canonical(value: Json | undefined, isSet = false): string {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((it) => canonical(it));
    return `[${(isSet ? items.sort(byCodeUnit) : items).join(',')}]`;
  }
  if (!isJsonMap(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, it]) => it !== undefined)
    .sort(([a], [b]) => byCodeUnit(a, b));
  return `{${members.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(',')}}`;
}

/** An API server may leave out an empty map or list, and may keep it. */
const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

interface Field {
  readonly path: readonly string[];
  readonly live: Json | undefined;
}

/**
 * What Liqo or Kubernetes have chosen for a field that an object leaves to them: `liqoctl` names neither the Secret nor the node
 * port of a gateway, and the status of the gateway has both. `undefined` for every other field.
 */
export function chosenFor(live: KubernetesObject, { path, live: found }: Field): Json | undefined {
  // Zero values of Go; the CRDs have one as the default of the name of a Secret.
  if (!isNothing(found) && found !== 0 && found !== '') return undefined;
  const { spec, status } = live as { readonly spec?: Json; readonly status?: Json };
  const at = path.join('.');
  if (live.kind === 'GatewayServer' && at === 'spec.endpoint.nodePort')
    return jsonAt(spec, 'endpoint', 'serviceType') === 'NodePort' ? jsonAt(status, 'endpoint', 'port') : undefined;
  if (live.kind !== 'GatewayServer' && live.kind !== 'GatewayClient') return undefined;
  const name = textAt(status, 'secretRef', 'name');
  if (at === 'spec.secretRef.name') return name;
  return at === 'spec.secretRef' && name !== undefined ? { name } : undefined;
}

/** Applying git changes nothing where it only writes down what was chosen. */
export function isChosenAlready(
  live: KubernetesObject,
  field: Field & { readonly promised: Json | undefined },
): boolean {
  const chosen = chosenFor(live, field);
  return chosen !== undefined && canonical(chosen) === canonical(field.promised);
}
