import type { Expectation } from '../expectation.ts';
import type { ExpectedShare } from '../expected/expect-shares.ts';
import { sliceSubject } from './prove-key.ts';
import { answerTo } from './results-in-consumer.ts';
import { nodesOf, progressOf } from './shares.ts';
import { aboutRemote, filled, type WantedObject } from './wanted-object.ts';

const AUTHENTICATION = 'authentication.liqo.io/v1beta1';
const RBAC = 'rbac.authorization.k8s.io';

/** The objects that Liqo creates in a provider. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager. */
export function resultsInProvider(expected: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const progress = progressOf(share);
  if (progress === 'drained' || progress === 'waits') return [];
  const copies = progress === 'connected' ? copiesOf(expected, share) : [];
  return [...rights(expected, share), ...copies];
}

/** The objects that Liqo creates for a Tenant at once. */
function rights({ clusters }: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, auth, answer, namespaceOfConsumer: namespace } = share;
  const labels = aboutRemote(consumer);
  const isHandshake = auth === 'handshake';
  const authParams = isHandshake && answer ? { apiServer: answer.apiServer } : undefined;
  const bindsAll = clusters.get(provider)?.traits.bindsConsumersWithCredentials === true;
  const tenant = {
    apiVersion: AUTHENTICATION,
    kind: 'Tenant',
    metadata: { name: consumer, namespace, labels },
    status: { authParams, tenantNamespace: namespace },
  };
  const certificate = certificateSecret(share, 'liqo-remote-certificate');
  return [
    tenant,
    ...(isHandshake ? [certificate, binding(share, 'liqo-remote-controlplane', 'User')] : []),
    ...(isHandshake || bindsAll ? [binding(share, 'liqo-virtual-kubelet-remote-clusterwide', 'Group')] : []),
  ];
}

function binding(share: ExpectedShare, role: string, kind: 'User' | 'Group'): WantedObject {
  const { consumer, namespaceOfConsumer: namespace } = share;
  const isForAll = kind === 'Group';
  const labels = { ...aboutRemote(consumer), 'app.kubernetes.io/managed-by': 'liqo' };
  return {
    apiVersion: `${RBAC}/v1`,
    kind: isForAll ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: isForAll
      ? { name: `liqo-binding-${role}-${consumer}`, labels }
      : { name: `liqo-binding-${role}`, namespace, labels },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, kind, name: consumer }],
  };
}

const certificateSecret = (
  { consumer, namespaceOfConsumer: namespace }: ExpectedShare,
  name: string,
): WantedObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: aboutRemote(consumer) },
});

/** The labels of objects that were copied from a consumer. */
export const copyOf = ({ consumer, provider }: ExpectedShare): Readonly<Record<string, string>> => ({
  ...aboutRemote(consumer),
  'liqo.io/originID': consumer,
  'liqo.io/remoteID': provider,
  'liqo.io/replicated': 'true',
  'liqo.io/replication': 'false',
});

function copiesOf(expected: Expectation, share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, auth, namespaceOfConsumer: namespace } = share;
  const nodes = nodesOf(share);
  const renews = expected.clusters.get(consumer)?.traits.renewsCertificates === true;
  const renew = {
    apiVersion: AUTHENTICATION,
    kind: 'Renew',
    metadata: { name: `controlplane-${provider}`, namespace, labels: copyOf(share) },
    spec: { consumerClusterID: consumer, identityType: 'ControlPlane' },
  };
  const ofSlices = share.slices.flatMap((it): readonly WantedObject[] => [
    certificateSecret(share, `liqo-remote-certificate-${it.name}`),
    {
      apiVersion: AUTHENTICATION,
      kind: 'ResourceSlice',
      metadata: { name: it.name, namespace, labels: copyOf(share) },
      spec: {
        class: it.class,
        consumerClusterID: consumer,
        csr: it.request ?? undefined,
        providerClusterID: provider,
        resources: filled(it.resources),
      },
      status: answerTo(it, nodes.includes(it)),
    },
  ]);
  const quotas = nodes.map((it): WantedObject => {
    const user = sliceSubject(consumer, it.name).commonName;
    return {
      apiVersion: 'offloading.liqo.io/v1beta1',
      kind: 'Quota',
      metadata: { name: user, namespace },
      spec: { resources: it.resources, user },
    };
  });
  return [...(auth === 'handshake' && renews ? [renew] : []), ...ofSlices, ...quotas];
}
