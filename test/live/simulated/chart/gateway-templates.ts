import { type Fields, NETWORKING, type ReleaseLine, type SimulatedObject, type Texts, VERSIONS } from '../objects.ts';
import { chartLabels } from './chart-labels.ts';

type Role = 'server' | 'client';

/** Source: liqotech/liqo@v1.0.3, @v1.1.2, @v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml. */
export function gatewayTemplates(release: ReleaseLine, namespace: string): readonly SimulatedObject[] {
  return (['client', 'server'] as const).map((role) => {
    const kind = role === 'server' ? 'WgGatewayServer' : 'WgGatewayClient';
    const metadata = { name: '{{ .Name }}', namespace: '{{ .Namespace }}', labels: podLabels(release) };
    return {
      apiVersion: NETWORKING,
      kind: `${kind}Template`,
      metadata: {
        name: `wireguard-${role}`,
        namespace,
        labels: chartLabels(`wireguard-${role}`, 'networking', release),
      },
      spec: {
        objectKind: { apiVersion: NETWORKING, kind },
        template: {
          metadata,
          spec: {
            secretRef: { name: '{{ .Spec.SecretRef.Name }}' },
            deployment: { metadata, spec: deployment(release, role, metadata) },
            ...(role === 'server' ? { service: { metadata, spec: SERVICE } } : {}),
          },
        },
      },
    };
  });
}

/** With one replica the pod is the active one from its start, since 1.1. */
const podLabels = (release: ReleaseLine): Texts => ({
  ...SELECTOR,
  'app.kubernetes.io/version': VERSIONS[release],
  'helm.sh/chart': `liqo-${VERSIONS[release]}`,
  ...(release === '1.0' ? {} : { 'networking.liqo.io/active': 'true' }),
});

const SELECTOR: Texts = {
  'app.kubernetes.io/component': 'networking',
  'app.kubernetes.io/instance': 'liqo-{{ .Name }}',
  'app.kubernetes.io/managed-by': 'Helm',
  'app.kubernetes.io/name': '{{ .Name }}',
  'app.kubernetes.io/part-of': 'liqo',
  'networking.liqo.io/component': 'gateway',
  'networking.liqo.io/gateway-name': '{{ .Name }}',
  'networking.liqo.io/gateway-namespace': '{{ .Namespace }}',
};

const SERVICE: Fields = {
  selector: { ...SELECTOR, 'networking.liqo.io/active': 'true' },
  type: '{{ .Spec.Endpoint.ServiceType }}',
  '?loadBalancerIP': '{{ .Spec.Endpoint.LoadBalancerIP }}',
  ports: [
    {
      port: '{{ .Spec.Endpoint.Port }}',
      targetPort: '{{ .Spec.Endpoint.Port }}',
      protocol: 'UDP',
      '?nodePort': '{{ .Spec.Endpoint.NodePort }}',
    },
  ],
};

function deployment(release: ReleaseLine, role: Role, metadata: Fields): Fields {
  return {
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: SELECTOR },
    template: {
      metadata,
      spec: {
        serviceAccount: '{{ .Name }}',
        serviceAccountName: '{{ .Name }}',
        containers: [gateway(release, role), wireguard(release, role), geneve(release, role)],
        volumes: [
          { name: 'wireguard-config', secret: { secretName: '{{ .SecretName }}' } },
          { name: 'ipc', emptyDir: {} },
        ],
      },
    },
  };
}

const FIRST = ['--name={{ .Name }}', '--namespace={{ .Namespace }}', '--remote-cluster-id={{ .ClusterID }}'];
const UID = '--gateway-uid={{ .GatewayUID }}';
const PLACE = ['--node-name=$(NODE_NAME)', '--pod-name=$(POD_NAME)'];
const WATCHES = ['--enable-nft-monitor=true', '--enable-route-monitor=true'];

const since11 = (release: ReleaseLine, args: readonly string[]): readonly string[] => (release === '1.0' ? [] : args);

/** The client of 1.0 names the gateway before its place. */
const place = (release: ReleaseLine, role: Role): readonly string[] =>
  release === '1.0' && role === 'client' ? [UID, ...PLACE] : [...PLACE, UID];

function gateway(release: ReleaseLine, role: Role): Fields {
  const args = [
    ...FIRST,
    ...place(release, role),
    `--mode=${role}`,
    '--container-name=gateway',
    '--concurrent-containers-names=wireguard,geneve',
    '--global-labels=liqo.io/managed=true',
    '--health-probe-bind-address=:8083',
    '--ping-enabled=true',
    '--ping-loss-threshold=5',
    '--ping-interval=2s',
    '--ping-update-status-interval=10s',
    `--leader-election=${release === '1.0'}`,
    ...since11(release, WATCHES),
  ];
  return container('gateway', args, { release, port: 8083, env: ENV, privileged: true });
}

function wireguard(release: ReleaseLine, role: Role): Fields {
  const ends = {
    server: ['--listen-port={{ .Spec.Endpoint.Port }}'],
    client: ['--endpoint-address={{ index .Spec.Endpoint.Addresses 0 }}', '--endpoint-port={{ .Spec.Endpoint.Port }}'],
  };
  const args = [
    ...FIRST,
    UID,
    `--mode=${role}`,
    '--container-name=wireguard',
    '--mtu={{ .Spec.MTU }}',
    ...ends[role],
    '--health-probe-bind-address=:8085',
    ...since11(release, ['--leader-election=false']),
    '--implementation=kernel',
    ...(role === 'server' && release === '1.2' ? ['--preserve-client-endpoint=true'] : []),
  ];
  const keys = { name: 'wireguard-config', mountPath: '/etc/wireguard/keys' };
  return container('gateway/wireguard', args, { release, port: 8085, mounts: [keys] });
}

function geneve(release: ReleaseLine, role: Role): Fields {
  const args = [
    ...FIRST,
    ...place(release, role),
    '--mode=server',
    '--container-name=geneve',
    '--geneve-port=6091',
    '--health-probe-bind-address=:8087',
    ...since11(release, ['--leader-election=false']),
  ];
  return container('gateway/geneve', args, { release, port: 8087, env: ENV });
}

const ENV = [
  { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
];

interface Rest {
  readonly release: ReleaseLine;
  readonly port: number;
  readonly env?: readonly Fields[];
  readonly mounts?: readonly Fields[];
  readonly privileged?: boolean;
}

const container = (image: string, args: readonly string[], rest: Rest): Fields => ({
  name: image.split('/').at(-1) ?? '',
  image: `ghcr.io/liqotech/${image}:${VERSIONS[rest.release]}`,
  imagePullPolicy: 'IfNotPresent',
  args,
  ...(rest.env ? { env: rest.env } : {}),
  ports: [{ containerPort: rest.port, name: 'healthz' }],
  ...(rest.release === '1.2' ? { resources: { limits: {}, requests: {} } } : {}),
  securityContext: {
    capabilities: { add: ['NET_ADMIN', 'NET_RAW'] },
    ...(rest.privileged ? { privileged: true } : {}),
  },
  volumeMounts: [{ name: 'ipc', mountPath: '/ipc' }, ...(rest.mounts ?? [])],
});
