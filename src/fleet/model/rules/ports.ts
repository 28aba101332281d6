import { groupBy } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { GENEVE_PORT, PING_PORT } from '../../../base/releases/gateways.ts';
import type { ModelRule, ServedLink } from '../link-stages.ts';
import { type Cluster, listenPortOf } from '../network-model.ts';
import { isNodePort, serviceOf } from '../served-port.ts';

/** UDP ports on which other parts of a gateway pod listen. */
const TAKEN_PORTS: ReadonlyMap<number, string> = new Map([
  [GENEVE_PORT, 'the overlay between nodes and gateways'],
  [PING_PORT, 'the ping of the tunnel'],
]);

/** WireGuard listens on a UDP port that no other process in the pod of its gateway uses. */
export const tunnelsListenOnAFreePort: ModelRule = function* ({ model, served }) {
  const reported = new Set<string>();
  for (const [index, link] of model.links.entries()) {
    const { server, client } = link;
    const { name, gateway } = server.cluster;
    const port = listenPortOf(link);
    const use = TAKEN_PORTS.get(port);
    if (use === undefined || reported.has(name)) continue;
    reported.add(name);
    const message = `the gateway of "${name}" for "${client.cluster.name}" would listen on UDP port ${port}, which ${use} uses in the same pod`;
    const requested = gateway.listenPort === null ? served[index]?.link.options?.servicePort : null;
    yield diagnostic('link/listen-port-taken', requested?.at ?? gateway.ports.at, message, {
      hint:
        gateway.listenPort === null
          ? `choose ${requested ? 'another `servicePort`' : 'other `gateway.ports`'}, or set \`gateway.listenPort\` to another port`
          : 'set `gateway.listenPort` to another port',
    });
  }
};

/**
 * Peers dial a node that answers. With the traffic policy Local, only the node with the active pod of a gateway answers
 * at its node port, and that node can change with every restart. Source: kubernetes/kubernetes@v1.32.0
 * pkg/apis/core/types.go (ServiceExternalTrafficPolicyLocal); the pod that a Service selects is the active one,
 * liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl.
 */
export const nodePortsAnswerWherePeersDial: ModelRule = function* ({ served }) {
  const reported = new Set<string>();
  for (const it of served) {
    const { server, client, link } = it;
    const { externalTrafficPolicy, nodeSelector, replicas } = server.gateway;
    const isPinned = replicas === 1 && Object.keys(nodeSelector).length > 0;
    if (!isNodePort(it) || externalTrafficPolicy.value !== 'Local' || isPinned) continue;
    if (reported.has(server.name)) continue;
    reported.add(server.name);
    const message = `"${server.name}" answers at its node ports only on the node that runs the gateway, and nothing keeps that node the one that its peers dial`;
    yield diagnostic('link/local-traffic-policy', externalTrafficPolicy.at, message, {
      about: [[server.name]],
      hint: 'set `gateway.nodeSelector` to the one node that peers dial, use `service: LoadBalancer`, or remove `externalTrafficPolicy`',
      related: [{ message: `"${client.name}" is one of the peers that dial it`, span: link.at }],
    });
  }
};

/**
 * Each link of a serving cluster has an address of its own when Services have their own addresses. Node ports share the
 * address of a node, but a ClusterIP or LoadBalancer Service gets an address of its own, so several links cannot all be
 * dialled at the first address of the cluster. Source: liqotech/liqo@v1.2.0
 * .../external-network/wireguard/wggatewayserver_controller.go.
 */
export const servicesHaveAddressesOfTheirOwn: ModelRule = function* ({ served }) {
  const byServer = groupBy(served.filter(dialsOwnAddress), (it) => [`${it.server.name} ${serviceOf(it)}`]);
  for (const links of byServer.values()) {
    const [first, second] = links;
    if (!first || !second) continue;
    const { server } = first;
    if (serviceOf(first) === 'ClusterIP') yield clusterIpShared(server, second, links.length);
    else if (server.gateway.loadBalancerIP === null) yield loadBalancerShared(server, links.length);
  }
};

/** True when the client dials the cluster's own address, without NAT or an option with another address. */
function dialsOwnAddress(it: ServedLink): boolean {
  const { address, loadBalancerIP } = it.link.options ?? {};
  const hasOwn = address || (serviceOf(it) === 'LoadBalancer' && loadBalancerIP);
  return !isNodePort(it) && !it.server.gateway.dial.address && !hasOwn;
}

function clusterIpShared(server: Cluster, second: ServedLink, count: number): Diagnostic {
  const at = server.gateway.addresses[0]?.at ?? server.at;
  return diagnostic(
    'link/cluster-ip-shared',
    at,
    `${count} peers dial "${server.name}" at one address, but each of its ClusterIP services has an address of its own`,
    {
      hint: 'give each link its `address` (in `peerings` or `shortcuts`), or serve with NodePort',
      related: [{ message: `"${second.client.name}" is the second of these peers`, span: second.link.at }],
    },
  );
}

function loadBalancerShared(server: Cluster, count: number): Diagnostic {
  const at = server.gateway.addresses[0]?.at ?? server.at;
  return diagnostic(
    'link/load-balancer-shared',
    at,
    `${count} peers dial "${server.name}" at one address, but no setting makes its load balancers share it`,
    {
      about: [[server.name]],
      hint: 'set `gateway.loadBalancerIP` and make your load balancer share that address, or give each link its `loadBalancerIP` or `address`',
    },
  );
}
