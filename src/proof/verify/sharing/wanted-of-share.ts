import { encodeBase64 } from '../../../base/core/base64.ts';
import { utf8Bytes } from '../../../base/core/utf8.ts';
import type { ExpectedShare } from '../expected/expect-shares.ts';
import { usualNamespace } from '../expected/names-of-end.ts';
import { wantedCredentials } from './wanted-credentials.ts';
import { aboutRemote, filled, keptNamespace, type WantedObject } from './wanted-object.ts';
import { wantedVirtualNode } from './wanted-virtual-node.ts';

const AUTHENTICATION = 'authentication.liqo.io/v1beta1';
const RBAC = 'rbac.authorization.k8s.io';

/** The namespace for a remote cluster without a link: with one it is with the objects of the link. */
export const wantedNamespace = (remote: string): WantedObject =>
  keptNamespace(usualNamespace(remote), {
    ...aboutRemote(remote),
    'liqo.io/tenant-namespace': 'true',
    'pod-security.kubernetes.io/audit': 'privileged',
    'pod-security.kubernetes.io/enforce': 'privileged',
    'pod-security.kubernetes.io/warn': 'privileged',
  });

/**
 * What a provider has for a consumer. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go,
 * pkg/liqo-controller-manager/authentication/noncecreator-controller, docs/advanced/peering/peering-via-cr.md.
 */
export function wantedInProvider(share: ExpectedShare): readonly WantedObject[] {
  const { consumer, auth, condition, key, namespaceOfConsumer: namespace } = share;
  const about = { name: consumer, namespace, labels: aboutRemote(consumer) };
  if (auth === 'credentials') {
    const spec = { authzPolicy: 'TolerateNoHandshake', clusterID: consumer, tenantCondition: condition };
    return [...wantedAccount(share), { apiVersion: AUTHENTICATION, kind: 'Tenant', metadata: about, spec }];
  }
  if (key === null) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'liqo-nonce', namespace, labels: { ...aboutRemote(consumer), 'liqo.io/nonce': 'true' } },
      type: 'Opaque',
      data: { nonce: encodeBase64(utf8Bytes(key.nonce)) },
    },
    {
      apiVersion: AUTHENTICATION,
      kind: 'Tenant',
      metadata: about,
      spec: {
        authzPolicy: 'KeysExchange',
        clusterID: consumer,
        csr: key.request,
        publicKey: key.publicKey,
        signature: key.signature,
        tenantCondition: condition,
      },
    },
  ];
}

/** A drained consumer has no rights: Liqo takes them away by the name of the binding. */
function wantedAccount({
  consumer,
  condition,
  namespaceOfConsumer: namespace,
}: ExpectedShare): readonly WantedObject[] {
  const account = { name: `consumer-${consumer}`, namespace };
  const withoutRights: WantedObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account };
  if (condition === 'Drained') return [withoutRights];
  return [
    withoutRights,
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name: 'liqo-binding-liqo-remote-controlplane',
        namespace: account.namespace,
        labels: aboutRemote(consumer),
      },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ];
}

/**
 * What a consumer has for a provider. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1 (identity_types.go,
 * resourceslice_types.go), internal/crdReplicator, which copies a slice only when it has all three labels.
 */
export function wantedInConsumer(share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, auth, answer, slices, namespaceOfConsumer, namespaceOfProvider: namespace } = share;
  const labels = aboutRemote(provider);
  const wanted: WantedObject[] = [...wantedCredentials(share)];
  if (auth === 'handshake' && answer !== null) {
    const { apiServer, ca, certificate, proxyURL } = answer;
    const authParams = { apiServer, ca: ca ?? undefined, proxyURL: proxyURL ?? undefined, signedCRT: certificate };
    wanted.push({
      apiVersion: AUTHENTICATION,
      kind: 'Identity',
      metadata: { name: `controlplane-${provider}`, namespace, labels },
      spec: { authParams, clusterID: provider, namespace: namespaceOfConsumer, type: 'ControlPlane' },
    });
  }
  for (const it of slices) {
    wanted.push({
      apiVersion: AUTHENTICATION,
      kind: 'ResourceSlice',
      metadata: {
        name: it.name,
        namespace,
        labels: { ...labels, 'liqo.io/remoteID': provider, 'liqo.io/replication': 'true' },
        annotations: { 'liqo.io/create-virtual-node': 'true' },
      },
      spec: {
        class: it.class,
        consumerClusterID: consumer,
        csr: it.request ?? undefined,
        providerClusterID: provider,
        resources: filled(it.resources),
      },
    });
  }
  // Without an answer there is no certificate, and a virtual kubelet would restart until there is.
  if (auth === 'handshake' && answer === null) return wanted;
  return [...wanted, ...slices.flatMap((it) => wantedVirtualNode(share, it))];
}
