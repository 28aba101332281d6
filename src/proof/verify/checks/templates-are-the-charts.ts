import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentPath } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration, ServiceType } from '../../../fleet/topology/declaration.ts';
import { isCheckedByContainer } from '../expected/own-template.ts';
import type { KubeObject } from '../kube-object.ts';
import type { Part } from './bundle-check.ts';
import { compareObject } from './compare-object.ts';

interface ChartTemplate {
  /** Text for the template and its owner. */
  readonly what: string;
  readonly cluster: ClusterDeclaration;
  /** The type of the Service of a server; `null` for a client, which has none. */
  readonly service: ServiceType | null;
}

/**
 * Checks the parts that every template has from the chart, whatever the topology: labels, volumes, rights and accounts, without which the
 * pods of a gateway do not start, or are not found.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0
 * deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml.
 */
export function* isAsInTheChart({ node }: KubeObject, { what, cluster, service }: ChartTemplate): Iterable<Diagnostic> {
  const object = { what, node, isOthers: isSetting, codeOf: () => 'verify/template' as const };
  const { gateway, image, traits } = cluster;
  const isActive = traits.labelsSingleGatewayActive && gateway.replicas === 1;
  const labels = {
    ...SELECTED,
    'helm.sh/chart': labelValue(`liqo-${image.tag}`),
    'app.kubernetes.io/version': labelValue(image.tag),
    'networking.liqo.io/active': isActive ? 'true' : undefined,
  };
  const metadata = { name: '{{ .Name }}', namespace: '{{ .Namespace }}', labels };
  const selector = { ...SELECTED, 'networking.liqo.io/active': 'true' };
  const healthCheck = service !== null && isCheckedByContainer(cluster, service) ? [{}] : [];
  const pod: Part = {
    serviceAccount: '{{ .Name }}',
    serviceAccountName: '{{ .Name }}',
    containers: [...CONTAINERS, ...healthCheck],
    volumes: [
      { name: 'wireguard-config', secret: { secretName: '{{ .SecretName }}' } },
      { name: 'ipc', emptyDir: {} },
    ],
  };
  yield* compareObject(object, {
    spec: {
      objectKind: { apiVersion: 'networking.liqo.io/v1beta1' },
      template: {
        metadata: { labels },
        spec: {
          secretRef: { name: '{{ .Spec.SecretRef.Name }}' },
          service: service === null ? undefined : { metadata, spec: { selector } },
          deployment: {
            metadata,
            spec: { selector: { matchLabels: SELECTED }, template: { metadata, spec: pod } },
          },
        },
      },
    },
  });
}

/** The labels by which a Deployment selects its pods. */
const SELECTED = {
  'app.kubernetes.io/name': '{{ .Name }}',
  'app.kubernetes.io/instance': 'liqo-{{ .Name }}',
  'app.kubernetes.io/component': 'networking',
  'app.kubernetes.io/part-of': 'liqo',
  'app.kubernetes.io/managed-by': 'Helm',
  'networking.liqo.io/component': 'gateway',
  'networking.liqo.io/gateway-name': '{{ .Name }}',
  'networking.liqo.io/gateway-namespace': '{{ .Namespace }}',
};

/** A value has at most 63 characters of a few kinds, and ends in a letter or a digit. */
const labelValue = (text: string): string =>
  (/^.{0,62}[A-Za-z0-9]/.exec(text.replaceAll(/[^\w.-]/g, '_').slice(0, 63)) ?? [''])[0];

/** A gateway changes the network of its pod. */
const securityContext = { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } };
const imagePullPolicy = 'IfNotPresent';
const env = [
  { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
];
const socket = { name: 'ipc', mountPath: '/ipc' };
const keys = { name: 'wireguard-config', mountPath: '/etc/wireguard/keys' };

const CONTAINERS: readonly Part[] = [
  { imagePullPolicy, env, securityContext: { privileged: true, ...securityContext }, volumeMounts: [socket] },
  { imagePullPolicy, securityContext, volumeMounts: [socket, keys] },
  { imagePullPolicy, env, securityContext, volumeMounts: [socket] },
];

/** True for a member that follows from the topology, or that every template of a bundle has: other checks read them. */
const isSetting = (path: DocumentPath): boolean => SETTINGS.test(path.join('.'));

const SETTINGS = new RegExp(
  [
    String.raw`^(apiVersion|kind|metadata\..+|spec\.objectKind\.kind)$`,
    String.raw`^spec\.template\.metadata\.(name|namespace)$`,
    String.raw`\.service\.metadata\.annotations(\..+)?$`,
    String.raw`\.service\.spec\.(type|\?loadBalancerIP|externalTrafficPolicy|loadBalancerClass|allocateLoadBalancerNodePorts|ports)$`,
    String.raw`\.deployment\.spec\.(replicas|strategy)$`,
    String.raw`\.deployment\.spec\.template\.spec\.(affinity|nodeSelector|tolerations)$`,
    String.raw`\.containers\.\d\.(name|image|args|ports)$|\.containers\.1\.securityContext\.privileged$`,
  ].join('|'),
);
