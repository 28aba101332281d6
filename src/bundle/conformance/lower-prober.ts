import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Field, Manifest } from '../liqo/manifest.ts';
import {
  PROBER_ARGUMENTS,
  PROBER_IMAGE,
  PROBER_LABELS,
  PROBER_NAME,
  PROBER_NAMESPACE,
  PROBER_TCP_PORT,
  PROBER_UDP_PORT,
} from './prober-names.ts';

/**
 * The prober of a cluster, in a namespace of its own, so that it is removed by removing the namespace. It has no rights
 * and no token in its cluster, and the user of the pod owns nothing.
 */
export function lowerProber(cluster: AddressedCluster): readonly Manifest[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: PROBER_NAMESPACE,
        labels: { 'app.kubernetes.io/part-of': 'weft', 'pod-security.kubernetes.io/enforce': 'restricted' },
      },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: METADATA, automountServiceAccountToken: false },
    networkPolicy(),
    service(),
    deployment(cluster),
  ];
}

const METADATA = { name: PROBER_NAME, namespace: PROBER_NAMESPACE, labels: PROBER_LABELS };

const PORTS = [
  { protocol: 'TCP', port: PROBER_TCP_PORT },
  { protocol: 'UDP', port: PROBER_UDP_PORT },
];

/**
 * The policy limits ports and not addresses: with a list of addresses, a leak from another cluster would look closed, and
 * a packet from a wrong address would look lost. The prober dials addresses, so it needs no DNS.
 */
const networkPolicy = (): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: METADATA,
  spec: {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: PORTS }],
    egress: [{ ports: PORTS }],
  },
});

const service = (): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: METADATA,
  spec: {
    type: 'ClusterIP',
    selector: PROBER_LABELS,
    ports: [
      { name: 'tcp', protocol: 'TCP', port: PROBER_TCP_PORT, targetPort: PROBER_TCP_PORT },
      { name: 'udp', protocol: 'UDP', port: PROBER_UDP_PORT, targetPort: PROBER_UDP_PORT },
    ],
  },
});

/** Never two pods: an address that belongs to one of two says nothing about the other. */
const deployment = (cluster: AddressedCluster): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: METADATA,
  spec: {
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: PROBER_LABELS },
    template: { metadata: { labels: PROBER_LABELS }, spec: podSpec(cluster) },
  },
});

const podSpec = (cluster: AddressedCluster): Field => ({
  serviceAccountName: PROBER_NAME,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'liqo.io/type', operator: 'NotIn', values: ['virtual-node'] }] },
        ],
      },
    },
  },
  securityContext: { runAsNonRoot: true, ...userOn(cluster), seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: PROBER_NAME,
      image: PROBER_IMAGE,
      args: PROBER_ARGUMENTS,
      ports: PORTS.map(({ protocol, port }) => ({ name: protocol.toLowerCase(), protocol, containerPort: port })),
      readinessProbe: { httpGet: { path: '/', port: PROBER_TCP_PORT } },
      // A few megabytes for the server; the rest is for the programs that dial.
      resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      },
    },
  ],
});

/**
 * The user of the pod, because the image has only root. OpenShift chooses one for each namespace and refuses any other.
 * Source: openshift/apiserver-library-go pkg/securitycontextconstraints, `restricted-v2`.
 */
const userOn = ({ platform }: AddressedCluster) =>
  platform?.value === 'openshift' ? {} : { runAsUser: NOBODY, runAsGroup: NOBODY };

const NOBODY = 65534;
