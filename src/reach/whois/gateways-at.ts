import { groupBy } from '../../base/core/group-by.ts';
import { by } from '../../base/core/order.ts';
import { printAddress } from '../../base/net/text.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';

/** A cluster whose gateways are behind an address outside of the clusters' own networks. */
export interface GatewayAt {
  readonly cluster: string;
  /** How the topology names the address: of nodes or a load balancer, requested for a load balancer, or before a NAT. */
  readonly as: readonly ('addresses' | 'loadBalancerIP' | 'dial')[];
  /** The peers that dial it, with the UDP port of each, by name. */
  readonly dialledBy: readonly { readonly cluster: string; readonly port: number }[];
}

/** The gateways at an address, by the name of their cluster. */
export function gatewaysAt({ clusters, links }: AddressedModel, address: number): readonly GatewayAt[] {
  const text = printAddress(address);
  const dialled = groupBy(
    links.filter((it) => it.endpoint.address === text),
    (it) => [it.server.cluster.name],
  );
  const requested = new Set(
    links.filter((it) => it.endpoint.loadBalancerIP === text).map((it) => it.server.cluster.name),
  );
  return [...clusters.values()].flatMap(({ name, retired, gateway }): readonly GatewayAt[] => {
    if (retired) return [];
    const as = [
      ...(gateway.addresses.some((it) => it.value === text) ? (['addresses'] as const) : []),
      ...(gateway.loadBalancerIP === text || requested.has(name) ? (['loadBalancerIP'] as const) : []),
      ...(gateway.dial.address?.value === text ? (['dial'] as const) : []),
    ];
    const dialledBy = (dialled.get(name) ?? [])
      .map((it) => ({ cluster: it.client.cluster.name, port: it.endpoint.port }))
      .sort(by((it) => it.cluster));
    return as.length + dialledBy.length === 0 ? [] : [{ cluster: name, as, dialledBy }];
  });
}
