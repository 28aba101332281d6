import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { forEachCluster, type Part } from './bundle-check.ts';
import { compareObject } from './compare-object.ts';

/**
 * The prober of a cluster is the one that the topology requires, in every field: an image, a right or an open port more
 * would reach every cluster of the fleet. Tools delete it and its namespace without the key, so no object is kept, and
 * nothing waits for it. Other checks know whether the file must be there, and who applies it.
 */
export const probersHaveNoRights = forEachCluster(function* ({ bundle, expected: fleet }, { name, expected }) {
  if (!fleet.declaration.conformance) return;
  const path = `${name}/conformance/prober.yaml`;
  const [source, objects] = [bundle.sources.get(path), bundle.objects.get(path)];
  if (!source || !objects) return;
  const left = new Map(proberOf(expected.declared).map((it) => [it.kind, it]));
  for (const { kind, node, at } of objects) {
    const wanted = left.get(kind);
    const what = `the ${kind} of the prober of "${name}"`;
    if (wanted) yield* compareObject({ what, node, isOthers: () => false, codeOf: proberCode }, wanted);
    else yield diagnostic('verify/extra-object', at, `${what} is not required by the topology, or is there twice`);
    left.delete(kind);
  }
  for (const kind of left.keys()) yield missing(kind, name, objects[0]?.at ?? { source, start: 0, end: 0 });
});

const proberCode = () => 'verify/prober' as const;

const missing = (kind: string, cluster: string, at: Diagnostic['span']): Diagnostic =>
  diagnostic('verify/missing-object', at, `"${cluster}" is missing the ${kind} of its prober`);

type WantedProber = { readonly kind: string; readonly [key: string]: Part };

const LABELS = { 'app.kubernetes.io/name': 'prober', 'app.kubernetes.io/part-of': 'weft' };
const ANNOTATIONS = { 'argocd.argoproj.io/sync-wave': '1000000' };
const METADATA = { name: 'prober', namespace: 'weft-conformance', labels: LABELS, annotations: ANNOTATIONS };
const OPEN = [
  { port: 8080, protocol: 'TCP' },
  { port: 8081, protocol: 'UDP' },
];

function proberOf(cluster: ClusterDeclaration): readonly WantedProber[] {
  const labels = { 'app.kubernetes.io/part-of': 'weft', 'pod-security.kubernetes.io/enforce': 'restricted' };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'weft-conformance', labels, annotations: ANNOTATIONS } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: METADATA, automountServiceAccountToken: false },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: METADATA,
      spec: {
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ ports: OPEN }],
        egress: [{ ports: OPEN }],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: METADATA,
      spec: {
        type: 'ClusterIP',
        selector: LABELS,
        ports: OPEN.map((it) => ({ ...it, name: it.protocol.toLowerCase(), targetPort: it.port })),
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: METADATA,
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        selector: { matchLabels: LABELS },
        template: { metadata: { labels: LABELS }, spec: podOf(cluster) },
      },
    },
  ];
}

/** The pod runs on no virtual node, without a token, and with a user who owns nothing and may write to no file. */
const podOf = ({ platform }: ClusterDeclaration): Part => ({
  serviceAccountName: 'prober',
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: REAL_NODES } } },
  securityContext: {
    runAsNonRoot: true,
    // OpenShift assigns a user to each namespace, and admits no other.
    ...(platform?.value === 'openshift' ? {} : { runAsUser: 65534, runAsGroup: 65534 }),
    seccompProfile: { type: 'RuntimeDefault' },
  },
  containers: [
    {
      name: 'prober',
      image: 'registry.k8s.io/e2e-test-images/agnhost:2.59',
      // Without the last one, the server runs any command that it is sent. Source: kubernetes/kubernetes@v1.35.4
      // test/images/agnhost/netexec/netexec.go.
      args: ['netexec', '--http-port=8080', '--udp-port=8081', '--http-override=/hostname'],
      ports: OPEN.map(({ port, protocol }) => ({ name: protocol.toLowerCase(), protocol, containerPort: port })),
      readinessProbe: { httpGet: { path: '/', port: 8080 } },
      resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      },
    },
  ],
});

const REAL_NODES = [{ matchExpressions: [{ key: 'liqo.io/type', operator: 'NotIn', values: ['virtual-node'] }] }];
