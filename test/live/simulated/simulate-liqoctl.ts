import { type KubernetesList, NETWORKING, type ReleaseLine, type SimulatedObject } from './objects.ts';
import { type LiqoctlPeering, peerAsLiqoctl } from './peer-as-liqoctl.ts';
import { operateShortcuts } from './shortcut-operator.ts';
import { listOf } from './simulate-fleet.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

/** A cluster with Liqo, before anybody peers it. */
export interface LiqoctlCluster {
  readonly release?: ReleaseLine;
  /** Several since 1.2. */
  readonly podCIDR: string | readonly string[];
  readonly serviceCIDR: string;
  readonly externalCIDR?: string;
  readonly internalCIDR?: string;
  readonly pools?: readonly string[];
  readonly reserved?: readonly string[];
  /** The address for its NodePorts. */
  readonly nodeAddress?: string;
  /** The address or name of all its LoadBalancers; by default each has its own address. */
  readonly balancerAddress?: string;
}

export interface LiqoctlFleet {
  readonly release?: ReleaseLine;
  readonly clusters: Readonly<Record<string, LiqoctlCluster>>;
  /** The peerings in the order of their creation. */
  readonly peerings: readonly LiqoctlPeering[];
  /** Shortcuts that the fork's operator made of a ForeignClusterConnection in this cluster. */
  readonly operator?: { readonly hub: string; readonly connections: readonly LiqoctlPeering[] };
}

/**
 * A fleet as people made it with `liqoctl install` and `liqoctl peer`, one peering after the other: one list for each
 * cluster, as `kubectl get ... -A -o json` prints it.
 */
export function simulateLiqoctl(fleet: LiqoctlFleet): ReadonlyMap<string, KubernetesList> {
  return new Map([...liqoctlFleet(fleet)].map(([id, it]) => [id, listOf(it)]));
}

/** The clusters, still running. */
export function liqoctlFleet({
  release,
  clusters,
  peerings,
  operator,
}: LiqoctlFleet): ReadonlyMap<string, SimulatedCluster> {
  const running = new Map(
    Object.entries(clusters).map(([id, it], i) => [id, install(id, { ...(release ? { release } : {}), ...it }, i)]),
  );
  for (const it of peerings) peerAsLiqoctl(running, it);
  for (const it of operator?.connections ?? []) {
    peerAsLiqoctl(running, it);
    running.get(operator?.hub ?? '')?.apply(connectionOf(it));
  }
  operateShortcuts(running);
  return running;
}

function install(id: string, cluster: LiqoctlCluster, index: number): SimulatedCluster {
  const { release = '1.2', podCIDR, serviceCIDR, externalCIDR, internalCIDR, pools, reserved = [] } = cluster;
  const { nodeAddress = `203.0.113.${index + 11}` } = cluster;
  const balancers = new Map<string, string>();
  const balancerOf = ({ metadata: { name, namespace } }: SimulatedObject): string => {
    const key = `${namespace}/${name}`;
    const given = balancers.get(key) ?? `198.51.${100 + index}.${balancers.size + 11}`;
    balancers.set(key, given);
    return given;
  };
  // Before 1.2 liqoctl installs what the chart has as its default.
  const [external, internal] =
    release === '1.2' ? [externalCIDR, internalCIDR] : [externalCIDR ?? '10.70.0.0/16', internalCIDR ?? '10.80.0.0/16'];
  return new SimulatedCluster({
    release,
    nodeAddress,
    labelsWhatItMakes: true,
    balancerAddress: (service) => cluster.balancerAddress ?? balancerOf(service),
    start: `2025-0${1 + (index % 9)}-01T08:00:00Z`,
    values: {
      discovery: { config: { clusterID: id } },
      ipam: {
        ...(typeof podCIDR === 'string' ? { podCIDR } : { podCIDRs: podCIDR }),
        serviceCIDR,
        reservedSubnets: reserved,
        ...(external === undefined ? {} : { externalCIDR: external }),
        ...(internal === undefined ? {} : { internalCIDR: internal }),
        ...(pools === undefined ? {} : { pools }),
      },
    },
  });
}

/** The objects that a user writes for the operator of the fork, which adds the rest. */
function connectionOf({ client, server, mtu = 1340 }: LiqoctlPeering) {
  return {
    apiVersion: NETWORKING,
    kind: 'ForeignClusterConnection',
    metadata: {
      name: `${client}-${server}`,
      namespace: 'default',
      finalizers: ['foreignclusterconnection.finalizers.networking.liqo.io'],
    },
    spec: {
      foreignClusterA: client,
      foreignClusterB: server,
      networking: {
        mtu,
        serverGatewayType: `${NETWORKING}/wggatewayservertemplates`,
        serverTemplateName: 'wireguard-server',
        serverTemplateNamespace: 'liqo',
        serverServiceType: 'NodePort',
        serverServicePort: 51_840,
        clientGatewayType: `${NETWORKING}/wggatewayclienttemplates`,
        clientTemplateName: 'wireguard-client',
        clientTemplateNamespace: 'liqo',
        timeoutSeconds: 120,
        wait: true,
      },
    },
  };
}
