import type { TEMPLATE_SETTINGS, TemplateSetting } from '../../base/releases/gateways.ts';
import { GATEWAY_NAME_LABEL } from '../../base/releases/labels.ts';
import type { Endpoint, Gateway, Toleration } from '../../fleet/model/network-model.ts';
import { goText, yamlEntries, yamlScalar } from './yaml-scalar.ts';

/** A setting in a gateway template of weft. */
interface Setting<Arguments extends readonly unknown[]> {
  /** True where the chart's template does not have it. */
  readonly isSet: (...it: Arguments) => boolean;
  /** Lines of YAML, where it is set. */
  readonly lines: (...it: Arguments) => readonly string[];
}

/** The Service in front of a server. */
type Server = Pick<Endpoint, 'serviceType' | 'servicePort'>;

type SettingsOf<End, Arguments extends readonly unknown[]> = {
  readonly [key in TemplateSetting as (typeof TEMPLATE_SETTINGS)[key] extends End ? key : never]: Setting<Arguments>;
};

/** Settings of the pods of both ends, with lines of their specification, in the order of the template. */
const OF_PODS: SettingsOf<'pods', [Gateway]> = {
  nodeSelector: {
    isSet: ({ nodeSelector }) => Object.keys(nodeSelector).length > 0,
    lines: ({ nodeSelector }) => ['nodeSelector:', ...yamlEntries(nodeSelector).map((it) => `  ${it}`)],
  },
  // Replicas of one gateway run on different nodes, so that the failure of one node stops only one of them.
  replicas: {
    isSet: ({ replicas }) => replicas > 1,
    lines: () => [
      'affinity:',
      '  podAntiAffinity:',
      '    requiredDuringSchedulingIgnoredDuringExecution:',
      '      - labelSelector:',
      '          matchLabels:',
      `            ${GATEWAY_NAME_LABEL}: "{{ .Name }}"`,
      '        topologyKey: kubernetes.io/hostname',
    ],
  },
  tolerations: {
    isSet: ({ tolerations }) => tolerations.length > 0,
    lines: ({ tolerations }) => ['tolerations:', ...tolerations.flatMap(tolerationLines).map((it) => `  ${it}`)],
  },
  // It is in the arguments of the containers.
  ping: { isSet: ({ ping }) => ping !== null, lines: () => [] },
};

/**
 * Settings of a server, with lines of its Service; none while they are as Kubernetes sets them by itself. Types of Service for
 * which Kubernetes refuses a setting do not get it.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateService).
 */
const OF_SERVERS: SettingsOf<'server', [Gateway, Server]> = {
  externalTrafficPolicy: {
    isSet: ({ externalTrafficPolicy }, { serviceType }) =>
      serviceType !== 'ClusterIP' && externalTrafficPolicy.value === 'Local',
    lines: () => ['externalTrafficPolicy: Local'],
  },
  loadBalancerClass: {
    isSet: ({ loadBalancerClass }, { serviceType }) => serviceType === 'LoadBalancer' && loadBalancerClass !== null,
    lines: ({ loadBalancerClass }) => [`loadBalancerClass: ${yamlScalar(goText(loadBalancerClass ?? ''))}`],
  },
  allocateLoadBalancerNodePorts: {
    isSet: ({ allocatesNodePorts }, { serviceType }) => serviceType === 'LoadBalancer' && !allocatesNodePorts,
    lines: () => ['allocateLoadBalancerNodePorts: false'],
  },
  // It is the target of the port, and in the arguments of the containers.
  listenPort: {
    isSet: ({ listenPort }, { servicePort }) => listenPort !== null && listenPort !== servicePort,
    lines: () => [],
  },
};

/** True when the settings of the gateway's pods, of either role, differ from the chart's. */
export const setsPods = (gateway: Gateway): boolean => Object.values(OF_PODS).some((it) => it.isSet(gateway));

/** The lines of a gateway's pod spec that the chart's template does not have. */
export const podLines = (gateway: Gateway): readonly string[] =>
  Object.values(OF_PODS).flatMap((it) => (it.isSet(gateway) ? it.lines(gateway) : []));

/** True when the settings of a server differ from the chart's. */
export const setsServer = (gateway: Gateway, server: Server): boolean =>
  Object.values(OF_SERVERS).some((it) => it.isSet(gateway, server));

/** The lines of the Service of a gateway for which neither a GatewayServer nor the chart's template has a place. */
export const serviceLines = (gateway: Gateway, server: Server): readonly string[] =>
  Object.values(OF_SERVERS).flatMap((it) => (it.isSet(gateway, server) ? it.lines(gateway, server) : []));

function tolerationLines({ key, operator, value, effect, tolerationSeconds }: Toleration): readonly string[] {
  const members = [
    ...[{ key }, { operator }, { value }, { effect }].flatMap((it) => yamlEntries(it)),
    ...(tolerationSeconds === undefined ? [] : [`tolerationSeconds: ${tolerationSeconds}`]),
  ];
  // An empty toleration is kept as `{}`, so that the list has as many entries as in the topology.
  return members.length === 0 ? ['- {}'] : members.map((it, index) => `${index === 0 ? '- ' : '  '}${it}`);
}
