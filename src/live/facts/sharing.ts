import { groupBy } from '../../base/core/collections.ts';
import { textOfBase64 } from '../../base/core/encodings.ts';
import { IDENTITY_TYPE_LABEL, NONCE_LABEL } from '../../base/releases/labels.ts';
import { isJsonMap, type Json, type JsonMap, jsonAt, listAt, textAt, textsAt } from '../dumps/json.ts';
import { type KubernetesObject, kindKeyOf, type Place, placeOf, remoteOf } from '../dumps/kubernetes-object.ts';
import { type ObservedSlice, type ObservedVirtualNode, observeSlice, observeVirtualNode } from './slices.ts';

/** The resources that a live cluster lends and borrows, as its objects have them. */
export interface ObservedSharing {
  readonly tenants: readonly ObservedTenant[];
  readonly nonces: readonly ObservedNonce[];
  /** RoleBindings of consumers that have no certificate, by `namespace/name`. */
  readonly accounts: ReadonlyMap<string, ObservedAccount>;
  /** Identities of control planes. Liqo creates those of slices. */
  readonly identities: readonly ObservedIdentity[];
  /** Secrets with the kubeconfigs of control planes; their values are never read. */
  readonly kubeconfigs: readonly ObservedKubeconfig[];
  /** The specs of ExternalSecrets by `namespace/name`. */
  readonly externalSecrets: ReadonlyMap<string, Json | undefined>;
  /** The cluster's own slices, and the copies that its consumers sent. */
  readonly slices: readonly ObservedSlice[];
  readonly virtualNodes: readonly ObservedVirtualNode[];
  readonly offloadings: readonly ObservedOffloading[];
  readonly chart: ObservedChart;
  /** Annotations of namespaces, by name. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** The objects that result from the values of the chart; `null` when an object was not dumped. */
export interface ObservedChart {
  /** Arguments of the controller manager. */
  readonly manager: readonly string[] | null;
  /** Arguments of the webhooks. */
  readonly webhook: readonly string[] | null;
  /** Spec of the virtual kubelet options. */
  readonly kubelet: JsonMap | null;
}

export interface ObservedTenant extends Place {
  readonly consumer: string;
  /** `KeysExchange`, `TolerateNoHandshake`; empty for the default. */
  readonly policy: string;
  /** `Active`, `Cordoned`, `Drained`. */
  readonly condition: string;
  /** Base64, like `request` and `signature`. */
  readonly publicKey: string | null;
  readonly request: string | null;
  readonly signature: string | null;
  /** The proxy through which the consumer reaches the API server. */
  readonly proxyURL: string | null;
  /** `null` until the provider has signed. */
  readonly answer: ObservedAnswer | null;
}

/** The public fields of `authParams`. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/common_types.go (AuthParams). */
export interface ObservedAnswer {
  readonly apiServer: string;
  /** PEM in base64; empty when the system's authorities are trusted. */
  readonly ca: string;
  /** PEM in base64. */
  readonly certificate: string;
  /** Empty without a proxy. */
  readonly proxyURL: string;
  /** True when it contains credentials for AWS, which are never read. */
  readonly hasAccess: boolean;
}

export interface ObservedNonce extends Place {
  readonly consumer: string;
  /** The text to sign; `null` when the dump has none. */
  readonly nonce: string | null;
}

interface ObservedAccount extends Place {
  /** `ServiceAccount namespace/name`, `User name`, `Group name`. */
  readonly subjects: readonly string[];
}

export interface ObservedIdentity extends Place {
  readonly provider: string;
  /** The namespace of the consumer in the provider. */
  readonly remoteNamespace: string | null;
  readonly answer: ObservedAnswer | null;
}

export interface ObservedKubeconfig extends Place {
  readonly provider: string;
}

/** A NamespaceOffloading in the namespace that it offloads. */
export interface ObservedOffloading extends Place {
  /** `spec.clusterSelector.nodeSelectorTerms`; `null` when it is no list. */
  readonly terms: readonly Json[] | null;
  /** `DefaultName`, `EnforceSameName`, `SelectedName`. */
  readonly mapping: string;
  /** `Local`, `Remote`, `LocalAndRemote`. */
  readonly pods: string;
  readonly remoteName: string | null;
  /** By provider, true when the selector selects it; empty before the controller has written the status. */
  readonly selected: ReadonlyMap<string, boolean>;
}

/** Returns the loans of resources, both lent and borrowed, in the objects of a cluster. */
export function observeSharing(cluster: string, objects: readonly KubernetesObject[]): ObservedSharing {
  const byKind = groupBy(objects, (it) => [kindKeyOf(it)]);
  const of = (key: string): readonly KubernetesObject[] => byKind.get(key) ?? [];
  const chart = observeChart(of('Deployment.apps'), of('VkOptionsTemplate.offloading.liqo.io'));
  return {
    tenants: of('Tenant.authentication.liqo.io').flatMap(observeTenant),
    nonces: of('Secret').flatMap(observeNonce),
    accounts: new Map(of('RoleBinding.rbac.authorization.k8s.io').flatMap(observeAccount)),
    identities: of('Identity.authentication.liqo.io').flatMap(observeIdentity),
    kubeconfigs: of('Secret').flatMap(observeKubeconfig),
    externalSecrets: new Map(
      of('ExternalSecret.external-secrets.io').map((it) => [
        `${it.metadata.namespace}/${it.metadata.name}`,
        it['spec'],
      ]),
    ),
    slices: of('ResourceSlice.authentication.liqo.io').map((it) => observeSlice(cluster, it)),
    virtualNodes: of('VirtualNode.offloading.liqo.io').flatMap((it) => observeVirtualNode(it, chart.kubelet)),
    offloadings: of('NamespaceOffloading.offloading.liqo.io').map(observeOffloading),
    chart,
    namespaces: new Map(of('Namespace').map(({ metadata }) => [metadata.name, metadata.annotations ?? {}])),
  };
}

/** Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go. */
export function observeTenant(object: KubernetesObject): readonly ObservedTenant[] {
  const { spec, status } = object;
  const consumer = textAt(spec, 'clusterID');
  if (consumer === undefined) return [];
  return [
    {
      ...placeOf(object),
      consumer,
      policy: textAt(spec, 'authzPolicy') ?? '',
      condition: textAt(spec, 'tenantCondition') ?? 'Active',
      publicKey: textAt(spec, 'publicKey') ?? null,
      request: textAt(spec, 'csr') ?? null,
      signature: textAt(spec, 'signature') ?? null,
      proxyURL: textAt(spec, 'proxyURL') ?? null,
      answer: observeAnswer(status),
    },
  ];
}

/** A nonce is the only Secret whose value is read: it proves nothing without its signature. */
function observeNonce(object: KubernetesObject): readonly ObservedNonce[] {
  const consumer = remoteOf(object);
  if (object.metadata.labels?.[NONCE_LABEL] !== 'true' || consumer === null) return [];
  const nonce = textOfBase64(textAt(object['data'], 'nonce') ?? '');
  return [{ ...placeOf(object), consumer, nonce: nonce === '' ? null : nonce }];
}

/** Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace (the ClusterRole), docs/advanced/peering/peering-via-cr.md. */
function observeAccount(object: KubernetesObject): readonly (readonly [string, ObservedAccount])[] {
  if (textAt(object['roleRef'], 'name') !== 'liqo-remote-controlplane') return [];
  const texts = listAt(object, 'subjects').map((it) => {
    const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((key) => textAt(it, key));
    return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  });
  const place = placeOf(object);
  return [[`${place.namespace}/${place.name}`, { ...place, subjects: texts }]];
}

/** Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/identity_types.go. */
function observeIdentity(object: KubernetesObject): readonly ObservedIdentity[] {
  const { spec } = object;
  const provider = textAt(spec, 'clusterID');
  if (provider === undefined || textAt(spec, 'type') !== 'ControlPlane') return [];
  const remoteNamespace = textAt(spec, 'namespace') ?? null;
  return [{ ...placeOf(object), provider, remoteNamespace, answer: observeAnswer(spec) }];
}

function observeKubeconfig(object: KubernetesObject): readonly ObservedKubeconfig[] {
  const provider = remoteOf(object);
  if (object.metadata.labels?.[IDENTITY_TYPE_LABEL] !== 'ControlPlane' || provider === null) return [];
  return [{ ...placeOf(object), provider }];
}

/** The `authParams` of a spec or a status; `null` when they contain neither a certificate nor credentials. */
function observeAnswer(part: Json | undefined): ObservedAnswer | null {
  const params = jsonAt(part, 'authParams');
  const text = (name: string): string => textAt(params, name) ?? '';
  const hasAccess = isJsonMap(params) && params['awsConfig'] !== undefined;
  const certificate = text('signedCRT');
  if (certificate === '' && !hasAccess) return null;
  return { apiServer: text('apiServer'), ca: text('ca'), certificate, proxyURL: text('proxyURL'), hasAccess };
}

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates (liqo-controller-manager-deployment.yaml, liqo-webhook-deployment.yaml, liqo-vk-options-template.yaml). */
export function observeChart(
  deployments: readonly KubernetesObject[],
  options: readonly KubernetesObject[],
): ObservedChart {
  const argsOf = (name: string): readonly string[] | null => {
    const found = deployments.find((it) => it.metadata.name === name);
    return found === undefined ? null : argumentsOf(found);
  };
  const kubelet = options.find((it) => it.metadata.name === 'virtual-kubelet-default')?.['spec'];
  return {
    manager: argsOf('liqo-controller-manager'),
    webhook: argsOf('liqo-webhook'),
    kubelet: isJsonMap(kubelet) ? kubelet : null,
  };
}

export const argumentsOf = (deployment: KubernetesObject | undefined): readonly string[] =>
  listAt(deployment?.['spec'], 'template', 'spec', 'containers').flatMap((it) => textsAt(it, 'args'));

/** Source: liqotech/liqo@v1.2.0 apis/offloading/v1beta1/namespaceoffloading_types.go. */
function observeOffloading(object: KubernetesObject): ObservedOffloading {
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
      const required = listAt(conditions).find((it) => textAt(it, 'type') === 'OffloadingRequired');
      return required === undefined ? [] : [[provider, textAt(required, 'status') === 'True'] as const];
    }),
  );
}
