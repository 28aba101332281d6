import type { ClusterDeclaration, LinkDeclaration } from '../../../fleet/topology/declaration.ts';
import type { Pair } from './list-pairs.ts';

interface ServingEnd {
  readonly server: string;
  /** True when either end could serve and only their names decide. */
  readonly isFree: boolean;
}

/**
 * The address that peers dial by default: `dial`, the first address, or the fixed address of a load balancer. A link may have
 * another type of Service than its cluster.
 */
export function dialledAddressOf({ gateway }: ClusterDeclaration, options: LinkDeclaration | null): string | null {
  const { dial, addresses, loadBalancerIP } = gateway;
  const service = options?.service?.value ?? gateway.service;
  return dial.address?.value ?? addresses[0]?.value ?? (service === 'LoadBalancer' ? loadBalancerIP : null);
}

/**
 * The end that serves: the one that the link names; else one that prefers to; else the only one that can be dialled and
 * may serve; else the hub; else the name that sorts first.
 */
export function servingEnd({ ends, hub, options }: Pair): ServingEnd {
  const [a, b] = ends;
  if (options?.server) return { server: options.server.value, isFree: false };
  const [some, ...others] = ends.filter(
    (it) => it.gateway.server !== 'never' && dialledAddressOf(it, options) !== null,
  );
  const preferred = [some, ...others].filter((it) => it?.gateway.server === 'prefer');
  if (preferred.length === 1 && preferred[0]) return { server: preferred[0].name, isFree: false };
  if (some && others.length === 0) return { server: some.name, isFree: false };
  if (hub) return { server: hub.name, isFree: false };
  return { server: a.name < b.name ? a.name : b.name, isFree: true };
}
