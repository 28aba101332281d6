import { createHash } from 'node:crypto';
import { encodeBase64, utf8Bytes } from '../../../../src/base/core/encodings.ts';
import { oncePerText } from '../../../../src/base/core/once.ts';
import { authenticationKeyOf, nonceOf, signNonce } from '../../../../src/fleet/certificates/authentication-key.ts';
import { bytesOf, bytesOfHex, printPem } from '../../../../src/fleet/certificates/bytes.ts';
import {
  controlPlaneSubject,
  makeRequest,
  sliceSubject,
} from '../../../../src/fleet/certificates/certificate-request.ts';
import type { LiveCluster } from '../../../../src/live/dumps/kubernetes-object.ts';
import { runLiqo } from '../../../fleet/sharing/simulated/run-liqo.ts';
import type { Fields, Simulated } from '../../../fleet/sharing/simulated/simulated-cluster.ts';
import { TestCa } from '../../../support/test-ca.ts';
import { dumpOf } from './import-recording.ts';

const REMOTE = 'liqo.io/remote-cluster-id';
const AUTHENTICATION = 'authentication.liqo.io/v1beta1';

export const base64 = (text: string): string => encodeBase64(utf8Bytes(text));
const digest = (algorithm: 'sha256' | 'sha512', text: string) => bytesOf(createHash(algorithm).update(text).digest());

/** An object that a test may change. */
export type Editable = Simulated & { readonly [field: string]: unknown };

/** The objects of `liqoctl authenticate` and `liqoctl create resourceslice` for one consumer and one provider. */
export interface LiqoctlLoan {
  readonly consumer: string;
  readonly provider: string;
  readonly resources?: Readonly<Record<string, string>>;
}

interface LiqoctlFleet {
  readonly clusters: readonly string[];
  readonly loans: readonly LiqoctlLoan[];
  /** Namespaces that `liqoctl offload namespace` was called for, by consumer. */
  readonly offloaded?: Readonly<Record<string, readonly string[]>>;
  /** Changes what was applied before the controllers run. */
  readonly edit?: (cluster: string, it: Editable) => Editable | undefined;
  /** Changes what is there afterwards. */
  readonly disturb?: (cluster: string, it: Editable) => Editable | undefined;
}

/**
 * A fleet that liqoctl made, at rest. Source: liqotech/liqo@v1.2.0 pkg/liqoctl/authenticate (handler.go), pkg/liqoctl/rest
 * (nonce, tenant, identity, resourceslice), pkg/liqoctl/offload. Every provider makes a nonce of its own.
 */
export function liqoctlFleet(fleet: LiqoctlFleet): readonly LiveCluster[] {
  const { clusters, loans, offloaded = {}, edit = (_, it) => it, disturb = (_, it) => it } = fleet;
  const applied = new Map(clusters.map((it) => [it, [] as Simulated[]]));
  const put = (cluster: string, ...objects: readonly Simulated[]) =>
    applied.get(cluster)?.push(...objects.flatMap((it) => edit(cluster, it) ?? []));
  for (const loan of loans) {
    put(loan.consumer, ...inConsumer(loan));
    put(loan.provider, ...inProvider(loan));
  }
  for (const [consumer, names] of Object.entries(offloaded)) {
    for (const it of names) put(consumer, namespace(it), offloading(it));
  }
  return [...runLiqo(applied)].map(([cluster, world]) => {
    const objects = world.all().map((it) => withAnswer(cluster, it));
    const networks = ownNetworks(clusters.indexOf(cluster));
    return dumpOf(cluster, [...objects.flatMap((it) => disturb(cluster, it) ?? []), ...networks]);
  });
}

/** Keys, requests and answers are the same in every fleet, and each takes a signature: a worker makes them once. */
const keyOf = oncePerText((consumer) => authenticationKeyOf(digest('sha256', `test key of ${consumer}`)));

/** The nonce that a provider made for a consumer. */
const nonceIn = ({ consumer, provider }: LiqoctlLoan): string =>
  nonceOf(digest('sha512', `nonce of ${consumer} in ${provider}`));

const requestOf = oncePerText((consumer) => makeRequest(keyOf(consumer), controlPlaneSubject(consumer)));

const answersOf = oncePerText((provider) => {
  const ca = new TestCa(provider);
  return { ca: base64(ca.pem), signedFor: oncePerText((consumer) => base64(ca.answer(requestOf(consumer)))) };
});

function answerOf(provider: string, consumer: string): Fields {
  const { ca, signedFor } = answersOf(provider);
  return { apiServer: `https://${provider}.example:6443`, ca, signedCRT: signedFor(consumer) };
}

/** The simulated providers sign with words. */
function withAnswer(cluster: string, it: Simulated): Simulated {
  if (it.kind !== 'Tenant' || it.status === undefined) return it;
  return { ...it, status: { ...it.status, authParams: answerOf(cluster, String(it.spec?.['clusterID'])) } };
}

const namespace = (name: string, labels?: Readonly<Record<string, string>>): Simulated => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
});

/** Source of the levels: liqotech/liqo@v1.2.0 pkg/tenantNamespace/namespaceManager.go. */
const tenantNamespace = (remote: string): Simulated =>
  namespace(`liqo-tenant-${remote}`, {
    [REMOTE]: remote,
    'liqo.io/tenant-namespace': 'true',
    'pod-security.kubernetes.io/audit': 'privileged',
    'pod-security.kubernetes.io/enforce': 'privileged',
    'pod-security.kubernetes.io/warn': 'privileged',
  });

function inProvider(loan: LiqoctlLoan): readonly Simulated[] {
  const { consumer } = loan;
  const place = { namespace: `liqo-tenant-${consumer}`, labels: { [REMOTE]: consumer } };
  const { publicKey } = keyOf(consumer);
  return [
    tenantNamespace(consumer),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'liqo-nonce', ...place, labels: { 'liqo.io/nonce': 'true', ...place.labels } },
      type: 'Opaque',
      data: { nonce: base64(nonceIn(loan)) },
    },
    {
      apiVersion: AUTHENTICATION,
      kind: 'Tenant',
      metadata: { name: consumer, ...place },
      spec: {
        authzPolicy: 'KeysExchange',
        clusterID: consumer,
        csr: base64(requestOf(consumer)),
        publicKey: base64(printPem('PUBLIC KEY', [...bytesOfHex('302a300506032b6570032100'), ...publicKey])),
        signature: encodeBase64(signNonce(keyOf(consumer), nonceIn(loan))),
        tenantCondition: 'Active',
      },
    },
  ];
}

function inConsumer(loan: LiqoctlLoan): readonly Simulated[] {
  const { consumer, provider, resources = { cpu: '4', memory: '8Gi' } } = loan;
  const place = { namespace: `liqo-tenant-${provider}`, labels: { [REMOTE]: provider } };
  return [
    tenantNamespace(provider),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'liqo-signed-nonce', ...place, labels: { 'liqo.io/signed-nonce': 'true', ...place.labels } },
      type: 'Opaque',
      data: { nonce: base64(nonceIn(loan)), signedNonce: base64('signed') },
    },
    {
      apiVersion: AUTHENTICATION,
      kind: 'Identity',
      metadata: { name: `controlplane-${provider}`, ...place },
      spec: {
        authParams: answerOf(provider, consumer),
        clusterID: provider,
        namespace: `liqo-tenant-${consumer}`,
        type: 'ControlPlane',
      },
    },
    {
      apiVersion: AUTHENTICATION,
      kind: 'ResourceSlice',
      metadata: {
        name: provider,
        namespace: place.namespace,
        labels: { ...place.labels, 'liqo.io/remoteID': provider, 'liqo.io/replication': 'true' },
        annotations: { 'liqo.io/create-virtual-node': 'true' },
      },
      spec: {
        class: 'default',
        consumerClusterID: consumer,
        csr: base64(makeRequest(keyOf(consumer), sliceSubject(provider, consumer))),
        providerClusterID: provider,
        resources,
      },
    },
  ];
}

const offloading = (name: string): Simulated => ({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'NamespaceOffloading',
  metadata: { name: 'offloading', namespace: name },
  spec: {
    clusterSelector: { nodeSelectorTerms: [] },
    namespaceMappingStrategy: 'DefaultName',
    podOffloadingStrategy: 'LocalAndRemote',
  },
});

const ownNetworks = (index: number): readonly object[] =>
  Object.entries({
    'pod-cidr': `10.${200 + index}.0.0/16`,
    'service-cidr': '10.96.0.0/12',
    'external-cidr': `172.16.${index}.0/24`,
    'internal-cidr': `172.17.${index}.0/24`,
  }).map(([type, cidr]) => ({
    apiVersion: 'ipam.liqo.io/v1alpha1',
    kind: 'Network',
    metadata: {
      name: type,
      namespace: 'liqo',
      labels: {
        'ipam.liqo.io/network-type': type,
        'ipam.liqo.io/network-not-remapped': 'true',
        ...(/pod|service/.test(type) ? { 'ipam.liqo.io/network-shared': 'true' } : {}),
        'helm.sh/chart': 'liqo-v1.2.0',
      },
      annotations: { 'liqo.io/preinstalled': 'true' },
    },
    spec: { cidr, ...(type === 'external-cidr' ? { preAllocated: 1 } : {}) },
    status: { cidr },
  }));
