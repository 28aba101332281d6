import { defaultedDeployment } from '../controllers/defaults.ts';
import { type Fields, type ReleaseLine, type SimulatedObject, VERSIONS } from '../objects.ts';
import { chartLabels, chartSelector } from './chart-labels.ts';
import { DEFAULT_POOLS, type HelmValues } from './helm-values.ts';

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-{controller-manager,ipam}-deployment.yaml. */
export function liqoDeployments(
  release: ReleaseLine,
  values: HelmValues,
  namespace: string,
): readonly SimulatedObject[] {
  const fullMasquerade = values.networking?.fabric?.config?.fullMasquerade ?? false;
  const pools = values.ipam.pools ?? DEFAULT_POOLS;
  const manager = container('controller-manager', 'liqo-controller-manager', release, [
    '--cluster-id=$(CLUSTER_ID)',
    '--liqo-namespace=$(POD_NAMESPACE)',
    '--networking-enabled=true',
    '--authentication-enabled=true',
    '--tls-compatibility-mode=false',
    '--offloading-enabled=true',
    '--default-limits-enforcement=None',
    '--default-node-resources=cpu=4,ephemeral-storage=20Gi,memory=8Gi,pods=110',
    '--global-labels=liqo.io/managed=true',
    ...(release === '1.2' ? ['--fabric-route-rule-priority=0'] : []),
    `--fabric-full-masquerade-enabled=${fullMasquerade}`,
    '--gateway-masquerade-bypass-enabled=false',
    '--geneve-port=6091',
    '--gateway-server-resources=networking.liqo.io/v1beta1/wggatewayservers',
    '--gateway-client-resources=networking.liqo.io/v1beta1/wggatewayclients',
    `--ipam-server=liqo-ipam.${namespace}:6000`,
    '--enable-storage=true',
    '--webhook-port=9443',
    '--virtual-storage-class-name=liqo',
    '--real-storage-class-name=',
    '--storage-namespace=liqo-storage',
    '--ingress-classes=',
    '--load-balancer-classes=',
    '--enable-api-server-ip-remapping=true',
  ]);
  const ipam = container('ipam', 'ipam', release, [
    '--pod-name=$(POD_NAME)',
    '--port=6000',
    '--sync-interval=2m',
    '--sync-graceperiod=30s',
    `--pools=${pools.join(',')}`,
    '--enable-graphviz=false',
  ]);
  return [
    deployment('controller-manager', { ...manager, ...MANAGER }, release, namespace),
    deployment('ipam', ipam, release, namespace),
  ];
}

const container = (name: string, image: string, release: ReleaseLine, args: readonly string[]): Fields => ({
  name,
  image: `ghcr.io/liqotech/${image}:${VERSIONS[release]}`,
  imagePullPolicy: 'IfNotPresent',
  command: [`/usr/bin/${image}`],
  args,
  securityContext: { allowPrivilegeEscalation: false },
});

/** Variables, ports and the probe of the controller manager. */
const MANAGER: Fields = {
  env: [
    {
      name: 'CLUSTER_ID',
      valueFrom: { configMapKeyRef: { name: 'liqo-clusterid-configmap', key: 'CLUSTER_ID' } },
    },
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
  ],
  ports: [
    { name: 'webhook', containerPort: 9443, protocol: 'TCP' },
    { name: 'healthz', containerPort: 8081, protocol: 'TCP' },
    { name: 'metrics', containerPort: 8082, protocol: 'TCP' },
  ],
  readinessProbe: {
    httpGet: { path: '/readyz', port: 'healthz', scheme: 'HTTP' },
    failureThreshold: 3,
    periodSeconds: 10,
    successThreshold: 1,
    timeoutSeconds: 1,
  },
};

function deployment(name: string, main: Fields, release: ReleaseLine, namespace: string): SimulatedObject {
  const labels = chartLabels(name, name, release);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `liqo-${name}`, namespace, labels },
    spec: defaultedDeployment({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      selector: { matchLabels: chartSelector(name, name) },
      template: {
        metadata: { labels },
        spec: {
          containers: [main],
          serviceAccountName: `liqo-${name}`,
          serviceAccount: `liqo-${name}`,
          securityContext: { fsGroup: 1000, runAsGroup: 1000, runAsNonRoot: true, runAsUser: 1000 },
        },
      },
    }),
    status: {},
  };
}
