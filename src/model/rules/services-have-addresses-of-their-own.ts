import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { groupBy } from '../group-by.ts';
import type { Cluster } from '../network-model.ts';
import type { ModelRule } from '../resolved-links.ts';
import type { ServedLink } from '../served-link.ts';

/**
 * Links that one cluster serves are dialled at an address each, where each Service has one. Node ports share the address
 * of a node; a ClusterIP or LoadBalancer Service gets an address of its own, so that several links cannot all be dialled
 * at the first address of the cluster.
 * Source: liqotech/liqo@v1.2.0 .../external-network/wireguard/wggatewayserver_controller.go.
 */
export const servicesHaveAddressesOfTheirOwn: ModelRule = function* ({ served }) {
  const byServer = groupBy(served.filter(dialsOwnAddress), (it) => [it.server.name]);
  for (const links of byServer.values()) {
    const [first, second] = links;
    if (!first || !second) continue;
    const { server } = first;
    if (server.gateway.service === 'ClusterIP') yield clusterIpShared(server, second, links.length);
    else if (server.gateway.loadBalancerIP === null) yield loadBalancerShared(server, links.length);
  }
};

/** The client dials what the cluster says of itself, and nothing stands in between that could tell the links apart. */
function dialsOwnAddress({ link, server }: ServedLink): boolean {
  const { service, dial } = server.gateway;
  return service !== 'NodePort' && !dial.address && !link.options?.address;
}

function clusterIpShared(server: Cluster, second: ServedLink, count: number): Diagnostic {
  const at = server.gateway.addresses[0]?.at ?? server.at;
  return diagnostic(
    'link/cluster-ip-shared',
    at,
    `${count} peers dial "${server.name}" at one address, and each of its ClusterIP services has an address of its own`,
    {
      hint: 'give each link its `address` (in `peerings` or `shortcuts`), or serve with NodePort',
      related: [{ message: `the second one, "${second.client.name}"`, span: second.link.at }],
    },
  );
}

function loadBalancerShared(server: Cluster, count: number): Diagnostic {
  const at = server.gateway.addresses[0]?.at ?? server.at;
  return diagnostic(
    'link/load-balancer-shared',
    at,
    `${count} peers dial "${server.name}" at one address, and nothing asks its load balancers to share it`,
    {
      hint: 'set `gateway.loadBalancerIP` (and whatever makes your load balancer share an address), or give each link its `address`',
    },
  );
}
