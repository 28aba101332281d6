import { byCodeUnit } from '../../base/core/order.ts';
import { DEFAULT_EXTERNAL_CIDR, DEFAULT_INTERNAL_CIDR } from '../../base/releases/install-defaults.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { ObservedCluster, OwnNetwork } from '../observed/observed-cluster.ts';

type OwnCIDRs = Pick<ClusterSpec, 'podCIDR' | 'serviceCIDR' | 'externalCIDR' | 'internalCIDR' | 'reserved'>;

/** The networks with which Liqo was installed. `podOrder` is the order in which peers list the pod CIDRs. */
export function ownNetworks(own: ObservedCluster['own'], podOrder: readonly string[]): OwnCIDRs {
  const pods = inOrderOf(
    own.pod.map((it) => it.asked),
    podOrder,
  );
  const reserved = [...own.reserved].sort((a, b) => byPlace(a.name, b.name)).map((it) => it.asked);
  return {
    ...(pods.length === 0 ? {} : { podCIDR: pods.length === 1 ? (pods[0] as string) : [...pods] }),
    ...(own.service[0] === undefined ? {} : { serviceCIDR: own.service[0].asked }),
    ...asked('externalCIDR', own.external[0], DEFAULT_EXTERNAL_CIDR),
    ...asked('internalCIDR', own.internal[0], DEFAULT_INTERNAL_CIDR),
    ...(reserved.length === 0 ? {} : { reserved }),
  };
}

/** Since 1.2 a network that was set has a label, and one that was not may be moved; before, all may be. */
function asked(
  key: 'externalCIDR' | 'internalCIDR',
  network: OwnNetwork | undefined,
  byDefault: string,
): Partial<OwnCIDRs> {
  return network === undefined || (network.asked === byDefault && !network.isFixed) ? {} : { [key]: network.asked };
}

/** Known ones first, in their order; then the others, as they are. */
function inOrderOf(cidrs: readonly string[], order: readonly string[]): readonly string[] {
  const place = new Map(order.map((it, index) => [it, index]));
  return [...cidrs].sort((a, b) => (place.get(a) ?? order.length) - (place.get(b) ?? order.length));
}

/** `reserved-2` before `reserved-10`: up to 1.1 the names count, and since then they have the CIDR. */
function byPlace(a: string, b: string): number {
  const [x, y] = [a, b].map((it) => /^reserved-(\d+)$/.exec(it)?.[1]);
  return x !== undefined && y !== undefined ? Number(x) - Number(y) : byCodeUnit(a, b);
}
