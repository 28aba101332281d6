import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { containsAddress, lastAddress, type Prefix } from '../../../base/net/prefix.ts';
import { printPrefix, readAddress } from '../../../base/net/text.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Link } from '../../model/network-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type AddressRule,
  clusterNamed,
  describeRouted,
  type RoutedNetworks,
  routedNetworks,
} from '../addressed-model.ts';

/** The address of a gateway is in no network that the dialling cluster routes into itself or into a tunnel. */
export const gatewaysLieOutsideTheDialler: AddressRule = function* (model) {
  const routes = new Map<string, RoutedNetworks>();
  for (const link of model.links) yield* insideDialler(link, model, routes);
};

function* insideDialler(link: Link, model: AddressedModel, routes: Map<string, RoutedNetworks>): Iterable<Diagnostic> {
  const address = readAddress(link.endpoint.address);
  if (address === undefined) return;
  const client = clusterNamed(model, link.client.cluster.name);
  const routed = routesOf(client, routes).first({ base: address, length: 32 });
  if (!routed) return;
  const at = addressSpan(link);
  yield diagnostic(
    'link/gateway-inside-dialler',
    at,
    `"${client.name}" dials "${link.server.cluster.name}" at ${link.endpoint.address}, which lies inside ${describeRouted(routed)}; the tunnel can never come up`,
    {
      hint: `dial an address that "${client.name}" routes to the outside`,
      related: at === client.at ? [] : [{ message: `"${client.name}" is declared here`, span: client.at }],
    },
  );
}

/** The routes of a cluster, computed once, because a hub that dials thousands of leaves needs them for each. */
function routesOf(cluster: AddressedCluster, routes: Map<string, RoutedNetworks>): RoutedNetworks {
  const known = routes.get(cluster.name) ?? routedNetworks(cluster);
  routes.set(cluster.name, known);
  return known;
}

function addressSpan({ at, endpoint, server }: Link): Span {
  const { gateway } = server.cluster;
  const texts = [...(gateway.dial.address ? [gateway.dial.address] : []), ...gateway.addresses];
  return texts.find((it) => it.value === endpoint.address)?.at ?? at;
}

/**
 * A gateway is dialled at an address of a node or of a load balancer, not at one that its own cluster assigns to pods
 * or Services, or that Liqo assigns. When nodes and pods share a network (EKS, Azure CNI), it may be among the pods.
 */
export const gatewaysLieOutsideTheirOwnCluster: AddressRule = function* (model) {
  const reported = new Set<string>();
  for (const link of model.links) {
    const server = clusterNamed(model, link.server.cluster.name);
    for (const address of dialledAddresses(link)) {
      const key = `${server.name} ${address}`;
      if (!reported.has(key)) yield* insideItself(server, link, address);
      reported.add(key);
    }
  }
};

/**
 * The dialled address of the gateway unless it belongs to a NAT outside, and the address that is requested from the
 * load balancer.
 */
function dialledAddresses({ endpoint, server }: Link): readonly string[] {
  const behindNat = server.cluster.gateway.dial.address?.value === endpoint.address;
  return [
    ...(behindNat ? [] : [endpoint.address]),
    ...(endpoint.loadBalancerIP === null ? [] : [endpoint.loadBalancerIP]),
  ];
}

function* insideItself(server: AddressedCluster, link: Link, text: string): Iterable<Diagnostic> {
  const address = readAddress(text);
  if (address === undefined) return;
  const own: readonly (readonly [string, Prefix])[] = [
    ...server.podCIDRs.map((it) => ['pod CIDR', it.value] as const),
    // In a flat network peers dial a Service of type ClusterIP at its own address.
    ...(link.endpoint.serviceType === 'ClusterIP' ? [] : [['service CIDR', server.serviceCIDR.value] as const]),
    ['external CIDR', server.externalCIDR],
    ['internal CIDR', server.internalCIDR],
  ];
  const found = own.find(([, prefix]) => containsAddress(prefix, address));
  if (!found) {
    yield* addressesOfNoHost(server, link, text, address);
    return;
  }
  const [role, prefix] = found;
  const message = `peers dial "${server.name}" at ${text}, which lies inside its own ${role} ${printPrefix(prefix)}`;
  yield diagnostic('link/gateway-inside-own-network', placeOfAddress(link, text), message, {
    about: [[server.name]],
    hint:
      role === 'pod CIDR'
        ? 'set the address of a node or of a load balancer; it is right only where nodes and pods share one network'
        : 'set the address of a node or of a load balancer',
  });
}

/**
 * Errors about the first and the last address of a subnet, which belong to no host (RFC 1122, section 3.2.1.3), except
 * in the shortest subnets.
 */
function* addressesOfNoHost(server: AddressedCluster, link: Link, text: string, address: number): Iterable<Diagnostic> {
  const subnet = server.reserved.find(
    ({ value }) => value.length <= 30 && (address === value.base || address === lastAddress(value)),
  );
  if (!subnet) return;
  const which = address === subnet.value.base ? 'first' : 'last';
  const message = `peers dial "${server.name}" at ${text}, the ${which} address of its reserved network ${printPrefix(subnet.value)}, which no host has in a subnet`;
  yield diagnostic('link/gateway-inside-own-network', placeOfAddress(link, text), message, {
    about: [[server.name]],
    hint: 'set the address of a node or of a load balancer',
    related: [{ message: 'the reserved network', span: subnet.at }],
  });
}

function placeOfAddress({ at, server }: Link, text: string): Span {
  return server.cluster.gateway.addresses.find((it) => it.value === text)?.at ?? at;
}
