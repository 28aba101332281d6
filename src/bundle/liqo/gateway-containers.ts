import { GENEVE_PORT, HEALTH_PROBE_PORTS, LIQO_PING, METRICS_PORTS } from '../../base/releases/gateways.ts';
import { MANAGED_LABEL } from '../../base/releases/labels.ts';
import { HEALTH_CHECK_CONTAINER } from '../../base/releases/platforms.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Cluster, ServiceType } from '../../fleet/model/network-model.ts';
import { goText } from './yaml-scalar.ts';

// The arguments of the three containers of a gateway pod, as in the chart of each release with default values.
// Liqo replaces `{{ }}` when it renders the template.
// Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0
// deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml and deployments/liqo/values.yaml.

export type GatewayMode = 'server' | 'client';

const IDENTITY = ['--name={{ .Name }}', '--namespace={{ .Namespace }}', '--remote-cluster-id={{ .ClusterID }}'];
const POD = ['--node-name=$(NODE_NAME)', '--pod-name=$(POD_NAME)'];
const OWNER = ['--gateway-uid={{ .GatewayUID }}'];

/** Arguments of the container that checks the tunnel and programs routes and NAT. */
export function gatewayArguments(cluster: AddressedCluster, mode: GatewayMode): readonly string[] {
  const ping = cluster.gateway.ping ?? LIQO_PING;
  return [
    ...IDENTITY,
    ...POD,
    ...OWNER,
    `--mode=${mode}`,
    '--container-name=gateway',
    '--concurrent-containers-names=wireguard,geneve',
    // The chart's `common.globalLabels`: the labels of objects that the gateway creates at run time.
    `--global-labels=${MANAGED_LABEL}=true`,
    ...metrics(cluster, 'gateway'),
    `--health-probe-bind-address=:${HEALTH_PROBE_PORTS.gateway}`,
    `--ping-enabled=${ping.enabled}`,
    `--ping-loss-threshold=${ping.lossThreshold}`,
    `--ping-interval=${goText(ping.interval)}`,
    `--ping-update-status-interval=${goText(ping.updateStatusInterval)}`,
    // Before 1.1 this container always takes part in leader election: only the leader has the label that the Service
    // selects.
    `--leader-election=${!cluster.traits.labelsSingleGatewayActive || isReplicated(cluster)}`,
    ...(cluster.traits.monitorsRulesAndRoutes ? ['--enable-nft-monitor=true', '--enable-route-monitor=true'] : []),
  ];
}

/** Arguments of the container that runs the tunnel. */
export function wireguardArguments(cluster: AddressedCluster, mode: GatewayMode): readonly string[] {
  return [
    ...IDENTITY,
    ...OWNER,
    `--mode=${mode}`,
    '--container-name=wireguard',
    '--mtu={{ .Spec.MTU }}',
    ...(mode === 'server'
      ? [`--listen-port=${cluster.gateway.listenPort ?? '{{ .Spec.Endpoint.Port }}'}`]
      : ['--endpoint-address={{ index .Spec.Endpoint.Addresses 0 }}', '--endpoint-port={{ .Spec.Endpoint.Port }}']),
    ...metrics(cluster, 'wireguard'),
    `--health-probe-bind-address=:${HEALTH_PROBE_PORTS.wireguard}`,
    ...leaderElection(cluster),
    `--implementation=${runsInUserspace(cluster) ? 'userspace' : 'kernel'}`,
    ...(mode === 'server' && cluster.traits.preservesClientEndpoint ? ['--preserve-client-endpoint=true'] : []),
  ];
}

/**
 * Arguments of the container that connects the pod to the nodes' overlay: its mode is `server` in both kinds of
 * gateway.
 */
export function geneveArguments(cluster: AddressedCluster): readonly string[] {
  return [
    ...IDENTITY,
    ...POD,
    ...OWNER,
    '--mode=server',
    '--container-name=geneve',
    `--geneve-port=${GENEVE_PORT}`,
    ...metrics(cluster, 'geneve'),
    `--health-probe-bind-address=:${HEALTH_PROBE_PORTS.geneve}`,
    ...leaderElection(cluster),
  ];
}

/** liqoctl does so on OpenShift; the container is then privileged. Source: pkg/liqoctl/install/openshift/provider.go */
export const runsInUserspace = ({ platform }: Cluster): boolean => platform?.value === 'openshift';

/**
 * The container that an AWS load balancer checks instead of the tunnel, which is UDP. Since 1.2 it checks the gateway.
 * Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml.
 */
export function healthCheckContainers(
  { platform, traits }: Cluster,
  service: ServiceType,
): readonly (typeof HEALTH_CHECK_CONTAINER)[] {
  const isChecked = platform?.value === 'eks' && service === 'LoadBalancer';
  return isChecked && !traits.answersHealthChecksOverHTTP ? [HEALTH_CHECK_CONTAINER] : [];
}

const metrics = ({ monitoring }: AddressedCluster, container: keyof typeof METRICS_PORTS): readonly string[] =>
  monitoring === null ? [] : [`--metrics-address=:${METRICS_PORTS[container].port}`];

/** With several replicas only one pod is active, so all of its containers take part in leader election. */
export const isReplicated = ({ gateway }: AddressedCluster): boolean => gateway.replicas > 1;

/** The flag of the two containers for which the chart sets it only since 1.1; they accept it before 1.1, too. */
function leaderElection(cluster: AddressedCluster): readonly string[] {
  const replicated = isReplicated(cluster);
  return replicated || cluster.traits.setsElectionInEveryContainer ? [`--leader-election=${replicated}`] : [];
}
