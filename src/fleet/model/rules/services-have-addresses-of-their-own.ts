import { groupBy } from '../../../base/core/group-by.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Cluster } from '../network-model.ts';
import type { ModelRule } from '../resolved-links.ts';
import type { ServedLink } from '../served-link.ts';
import { isNodePort, serviceOf } from '../served-port.ts';

/**
 * Where each Service has an address of its own, so has each link that one cluster serves. Node ports share the address of
 * a node; a ClusterIP or LoadBalancer Service gets an address of its own, so several links cannot all be dialled at the
 * first address of the cluster.
 * Source: liqotech/liqo@v1.2.0 .../external-network/wireguard/wggatewayserver_controller.go.
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

/** Whether the client dials the cluster's own address, without NAT or an option that gives the link another one. */
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
