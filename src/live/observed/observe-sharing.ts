import { groupBy } from '../../base/core/collections.ts';
import { decodeBase64 } from '../../base/core/encodings.ts';
import { IDENTITY_TYPE_LABEL, NONCE_LABEL, REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import { groupOf, type KubernetesObject, kindKey } from '../dumps/kubernetes-object.ts';
import { placeOf } from './field.ts';
import { observeSlice, observeVirtualNode } from './observe-slice.ts';
import type {
  ObservedAccount,
  ObservedAnswer,
  ObservedChart,
  ObservedIdentity,
  ObservedKubeconfig,
  ObservedNonce,
  ObservedOffloading,
  ObservedSharing,
  ObservedTenant,
} from './observed-sharing.ts';

/** What the objects of a cluster say about loans of resources, at both ends of them. */
export function observeSharing(cluster: string, objects: readonly KubernetesObject[]): ObservedSharing {
  const byKind = groupBy(objects, ({ apiVersion, kind }) => [kindKey(groupOf(apiVersion), kind)]);
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
function observeTenant(object: KubernetesObject): readonly ObservedTenant[] {
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

/** The only Secret whose value is read: it proves nothing without the signature of it. */
function observeNonce(object: KubernetesObject): readonly ObservedNonce[] {
  const { labels } = object.metadata;
  const consumer = textAt(labels, REMOTE_CLUSTER_LABEL);
  if (labels?.[NONCE_LABEL] !== 'true' || consumer === undefined) return [];
  const { kind, bytes } = decodeBase64(textAt(object['data'], 'nonce') ?? '');
  const nonce = kind === 'bytes' ? bytes.map((it) => String.fromCharCode(it)).join('') : '';
  return [{ ...placeOf(object), consumer, nonce: nonce === '' ? null : nonce }];
}

/** Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace (the ClusterRole), docs/advanced/peering/peering-via-cr.md. */
function observeAccount(object: KubernetesObject): readonly (readonly [string, ObservedAccount])[] {
  if (textAt(object['roleRef'], 'name') !== 'liqo-remote-controlplane') return [];
  const subjects = object['subjects'];
  const texts = (Array.isArray(subjects) ? (subjects as readonly Json[]) : []).map((it) => {
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
  const { labels } = object.metadata;
  const provider = textAt(labels, REMOTE_CLUSTER_LABEL);
  if (labels?.[IDENTITY_TYPE_LABEL] !== 'ControlPlane' || provider === undefined) return [];
  return [{ ...placeOf(object), provider }];
}

/** The `authParams` of a spec or a status; `null` where there is no certificate and no access in them. */
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
    return found === undefined ? null : argsIn(found);
  };
  const kubelet = options.find((it) => it.metadata.name === 'virtual-kubelet-default')?.['spec'];
  return {
    manager: argsOf('liqo-controller-manager'),
    webhook: argsOf('liqo-webhook'),
    kubelet: isJsonMap(kubelet) ? kubelet : null,
  };
}

function argsIn({ spec }: KubernetesObject): readonly string[] {
  const containers = jsonAt(spec, 'template', 'spec', 'containers');
  return (Array.isArray(containers) ? (containers as readonly Json[]) : []).flatMap((it) => {
    const args = jsonAt(it, 'args');
    return (Array.isArray(args) ? (args as readonly Json[]) : []).filter((one) => typeof one === 'string');
  });
}

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
      const required = (Array.isArray(conditions) ? (conditions as readonly Json[]) : []).find(
        (it) => textAt(it, 'type') === 'OffloadingRequired',
      );
      return required === undefined ? [] : [[provider, textAt(required, 'status') === 'True'] as const];
    }),
  );
}
