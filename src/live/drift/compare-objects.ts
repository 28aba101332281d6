import { byCodeUnit, valueAt } from '../../base/core/collections.ts';
import { decodeBase64, encodeBase64 } from '../../base/core/encodings.ts';
import { isJsonMap, type Json, type JsonMap, jsonAt, textAt } from '../dumps/json.ts';
import { type KubernetesObject, kindKeyOf } from '../dumps/kubernetes-object.ts';

/** A part of an object that differs from the promised one. */
export interface Difference {
  readonly path: readonly string[];
  /** `undefined` for a part that is not promised. */
  readonly promised: Json | undefined;
  /** `undefined` for a part that is absent. */
  readonly live: Json | undefined;
}

/** Fields that are not compared; of metadata, only labels and annotations are. */
const IDENTITY_FIELDS = ['apiVersion', 'kind', 'metadata', 'partsRead'];

/**
 * Yields the differences of a live object from the promised one. Promised labels, annotations and status must exist;
 * all other fields must be equal. Parts of the live object that were not read are not compared.
 */
export function* compareObjects(
  promised: KubernetesObject,
  live: KubernetesObject,
  allowed: AllowedChanges,
): Iterable<Difference> {
  const allowance = allowanceFor(kindKeyOf(promised), allowed);
  const isRead = (part: string): boolean => live.partsRead?.includes(part) ?? true;
  for (const part of ['labels', 'annotations'] as const) {
    if (isRead(`metadata.${part}`))
      yield* compare(['metadata', part], promised.metadata[part] ?? {}, live.metadata[part] ?? {}, allowance);
  }
  for (const field of new Set([...Object.keys(promised), ...Object.keys(live)])) {
    if (!IDENTITY_FIELDS.includes(field) && isRead(field))
      yield* compare([field], jsonAt(promised, field), jsonAt(live, field), allowance);
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
  // The CRDs fill in an empty name.
  if (at === 'spec.secretRef' && promised === undefined && jsonAt(live, 'name') === '') return;
  if (promised === undefined && allowance.open.some((it) => at === it || at.startsWith(`${it}.`))) return;
  if (isJsonMap(promised) && isJsonMap(live)) {
    for (const key of new Set([...Object.keys(promised), ...Object.keys(live)])) {
      yield* compare([...path, key], jsonAt(promised, key), jsonAt(live, key), allowance);
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
 * Conditions are compared by type: Liqo writes them in any order, and some of them twice. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller/condition.go.
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

/** Differences that are not drift, because a controller makes them. Paths are keys joined by dots. */
interface Allowance {
  /** Parts that are not compared. */
  readonly ignored: readonly string[];
  /** Parts that may have more fields than promised. */
  readonly open: readonly string[];
  /** Lists without a meaningful order. */
  readonly sets: readonly string[];
  /** Bytes in base64 that may end in zero bytes. */
  readonly padded: readonly string[];
}

/** The allowance that depends on the pair of clusters. */
interface AllowedChanges {
  /** True when Liqo renews certificates, also in an Identity from git: both ends must do so. */
  readonly isRenewed: boolean;
}

/**
 * Allowances for every object: GitOps tools, Helm and Liqo add labels and annotations, and a status has fields that
 * cannot be promised, such as times of conditions and addresses of gateways.
 */
const EVERYWHERE: Allowance = { ignored: [], open: ['metadata', 'status'], sets: [], padded: [] };

/** Objects that Liqo creates: a bundle promises only fields known beforehand, not certificates, keys and images. */
const MADE_BY_LIQO: Partial<Allowance> = { open: ['spec'] };

/** In objects that a tool only creates (`IfNotPresent` of Flux), the wave stays that of the day when it did. */
const WAVE = 'metadata.annotations.argocd.argoproj.io/sync-wave';

const BY_KIND: Readonly<Record<string, Partial<Allowance>>> = {
  // `spec.finalizers`. Source: kubernetes, Namespace.
  Namespace: { ignored: ['spec'] },
  // Only the name of a Secret is promised; of a nonce also the text.
  Secret: { open: ['data', 'type'], ignored: ['stringData', 'immutable'] },
  // Kubernetes before 1.24 adds a Secret with a token.
  ServiceAccount: { ignored: ['secrets', 'imagePullSecrets', 'automountServiceAccountToken'] },
  'Deployment.apps': MADE_BY_LIQO,
  // The API server adds addresses and defaults.
  Service: { open: ['spec'] },
  // With several own Networks, a controller reads them in another order after each start; seen with v1.2.0.
  'Configuration.networking.liqo.io': { sets: ['spec.local.cidr.pod'] },
  // Chains are lists of lines. With several own Networks, a cluster writes its rules in another order after each start;
  // no two rules of a chain match the same packet.
  'FirewallConfiguration.networking.liqo.io': {
    sets: ['spec.outgoing', 'spec.incoming', 'spec.pre-postrouting', 'spec.allow'],
  },
  'RouteConfiguration.networking.liqo.io': { sets: ['spec.routes'] },
  // The UID of the gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/k8s.go.
  'Connection.networking.liqo.io': { open: ['spec.gatewayRef'], ignored: [WAVE] },
  // Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localresourceslice-controller.
  'ResourceSlice.authentication.liqo.io': { open: ['spec.consumerClusterID', 'spec.csr', 'spec.providerClusterID'] },
  // Liqo creates the Identity of a slice; the other one is in git. A provider's CA may end in zero bytes, which a
  // renewal copies. Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go.
  'Identity.authentication.liqo.io': {
    open: ['spec.authParams', 'spec.namespace'],
    padded: ['spec.authParams.ca'],
  },
  'Renew.authentication.liqo.io': MADE_BY_LIQO,
  'Quota.offloading.liqo.io': MADE_BY_LIQO,
  'VirtualNode.offloading.liqo.io': MADE_BY_LIQO,
  'ForeignCluster.core.liqo.io': MADE_BY_LIQO,
  // The API server adds defaults. Source: external-secrets/external-secrets, apis/externalsecrets/v1.
  'ExternalSecret.external-secrets.io': MADE_BY_LIQO,
};

const IDENTITY_KIND = 'Identity.authentication.liqo.io';

/** Returns the allowance for objects of a kind. */
export function allowanceFor(kind: string, { isRenewed }: AllowedChanges): Allowance {
  const own = valueAt(BY_KIND, kind) ?? {};
  // Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
  const renewed = kind === IDENTITY_KIND && isRenewed ? ['spec.authParams.signedCRT', WAVE] : [];
  return {
    ignored: [...EVERYWHERE.ignored, ...(own.ignored ?? []), ...renewed],
    open: [...EVERYWHERE.open, ...(own.open ?? [])],
    sets: [...EVERYWHERE.sets, ...(own.sets ?? [])],
    padded: [...EVERYWHERE.padded, ...(own.padded ?? [])],
  };
}

/** Prints a value so that equal values have equal texts, regardless of the order of keys and, in a set, of items. */
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

/** An API server may omit an empty map or list, or keep it. */
const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

interface Field {
  readonly path: readonly string[];
  readonly live: Json | undefined;
}

/** True for a state of a loan, or a part of one, from before its provider answers. */
export const isBeforeAnswer = (kind: string, { path, live }: Field): boolean =>
  path[0] === 'status' && STATES_BEFORE_ANSWER.get(kind)?.includes(live) === true;

/** Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go, apis/offloading/v1beta1/namespaceoffloading_types.go. */
const STATES_BEFORE_ANSWER: ReadonlyMap<string, readonly (Json | undefined)[]> = new Map([
  ['ForeignCluster', [undefined, false, 'Unknown']],
  ['NamespaceOffloading', [undefined, 'NoClusterSelected']],
  ['ResourceSlice', [undefined]],
  ['Tenant', [undefined]],
]);

/**
 * Returns the value that Liqo or Kubernetes chose for a field that an object leaves open: `liqoctl` sets neither the
 * Secret nor the node port of a gateway, but the gateway's status has both. `undefined` for every other field.
 */
export function chosenFor(live: KubernetesObject, { path, live: found }: Field): Json | undefined {
  // Zero values of Go; the CRDs have one as the default of a Secret's name.
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

/** True when git only records the value that was chosen, so applying it changes nothing. */
export function isChosenAlready(
  live: KubernetesObject,
  field: Field & { readonly promised: Json | undefined },
): boolean {
  const chosen = chosenFor(live, field);
  return chosen !== undefined && canonical(chosen) === canonical(field.promised);
}

/** A kind of object that bundles contain, or that Liqo creates from them. */
export interface ComparedKind {
  /** Printed by `kindKey`. */
  readonly key: string;
  /** The name by which kubectl lists it. */
  readonly resource: string;
  /**
   * The objects that must be in git: all, only tenant namespaces, only fences and policies of weft, or none, because the chart, Liqo or a user creates
   * others. Objects beyond these are drift.
   */
  readonly extras: 'all' | 'tenant-namespaces' | 'boundaries' | 'none';
  /** Lists only objects with these labels; weft ignores the others of the kind. */
  readonly selector?: string;
}

type More = Partial<Pick<ComparedKind, 'extras' | 'selector'>>;

const kind = (key: string, plural: string, { extras = 'none', ...more }: More = {}): ComparedKind => ({
  key,
  resource: key.includes('.') ? `${plural}${key.slice(key.indexOf('.'))}` : plural,
  extras,
  ...more,
});

const OURS = { extras: 'all' } as const;
/** One list: of Liqo itself, for its release and the pools of its IPAM, and of the probers of weft. */
const OF_LIQO_OR_WEFT = { selector: 'app.kubernetes.io/part-of in (liqo,weft)' } as const;
/** A fence or a policy that git does not have any more stays in force. */
const OF_BOUNDARIES = { extras: 'boundaries' } as const;
const ABOUT_REMOTES = { selector: 'liqo.io/remote-cluster-id' } as const;

/** The CRDs' names, such as `publickeies`. Source: liqotech/liqo@v1.2.0 deployments/liqo/charts/liqo-crds/crds. */
export const COMPARED_KINDS: readonly ComparedKind[] = [
  kind('Namespace', 'namespaces', { extras: 'tenant-namespaces' }),
  // Only their names: the values are dropped when they are read.
  kind('Secret', 'secrets', ABOUT_REMOTES),
  kind('ServiceAccount', 'serviceaccounts'),
  kind('RoleBinding.rbac.authorization.k8s.io', 'rolebindings', ABOUT_REMOTES),
  kind('ClusterRoleBinding.rbac.authorization.k8s.io', 'clusterrolebindings', ABOUT_REMOTES),
  kind('Deployment.apps', 'deployments', { selector: 'liqo.io/virtual-node' }),
  // In a second list of this kind.
  kind('Deployment.apps', 'deployments', OF_LIQO_OR_WEFT),
  kind('Service', 'services', OF_LIQO_OR_WEFT),
  // Those of others limit connections between clusters, too.
  kind('NetworkPolicy.networking.k8s.io', 'networkpolicies', OF_BOUNDARIES),
  kind('Configuration.networking.liqo.io', 'configurations', OURS),
  // Those that Liqo creates for Configurations; there are others.
  kind('FirewallConfiguration.networking.liqo.io', 'firewallconfigurations', OF_BOUNDARIES),
  kind('RouteConfiguration.networking.liqo.io', 'routeconfigurations'),
  kind('PublicKey.networking.liqo.io', 'publickeies', OURS),
  kind('GatewayServer.networking.liqo.io', 'gatewayservers', OURS),
  kind('GatewayClient.networking.liqo.io', 'gatewayclients', OURS),
  kind('Connection.networking.liqo.io', 'connections', OURS),
  kind('Network.ipam.liqo.io', 'networks', OURS),
  // The chart and users create others.
  kind('WgGatewayServerTemplate.networking.liqo.io', 'wggatewayservertemplates'),
  kind('WgGatewayClientTemplate.networking.liqo.io', 'wggatewayclienttemplates'),
  kind('ForeignClusterConnection.networking.liqo.io', 'foreignclusterconnections', OURS),
  // Each of these allows a loan, is a loan, or offloads.
  kind('Tenant.authentication.liqo.io', 'tenants', OURS),
  kind('Identity.authentication.liqo.io', 'identities', OURS),
  kind('ResourceSlice.authentication.liqo.io', 'resourceslices', OURS),
  kind('VirtualNode.offloading.liqo.io', 'virtualnodes', OURS),
  kind('NamespaceOffloading.offloading.liqo.io', 'namespaceoffloadings', OURS),
  // Liqo creates and removes these with the ones above.
  kind('Renew.authentication.liqo.io', 'renews'),
  kind('Quota.offloading.liqo.io', 'quotas'),
  kind('NamespaceMap.offloading.liqo.io', 'namespacemaps'),
  kind('ForeignCluster.core.liqo.io', 'foreignclusters'),
  // The chart creates it, with the virtual kubelet options, which an import reads.
  kind('VkOptionsTemplate.offloading.liqo.io', 'vkoptionstemplates'),
  kind('PrometheusRule.monitoring.coreos.com', 'prometheusrules'),
  kind('ExternalSecret.external-secrets.io', 'externalsecrets'),
];
