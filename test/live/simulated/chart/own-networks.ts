import { IPAM_API, type ReleaseLine, type SimulatedObject, type Texts } from '../objects.ts';
import { chartLabels } from './chart-labels.ts';
import type { HelmValues } from './helm-values.ts';

/**
 * The Networks that a cluster has of its own, in the order in which the IPAM is asked for them.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates, recordings of both.
 */
export function ownNetworks({ ipam }: HelmValues, release: ReleaseLine, namespace: string): readonly SimulatedObject[] {
  const isShared = release === '1.2';
  const network = (name: string, type: string, cidr: string, { pinned = true, shared = false, first = 0 } = {}) => ({
    apiVersion: IPAM_API,
    kind: 'Network',
    metadata: {
      name,
      namespace,
      annotations: { 'liqo.io/preinstalled': 'true' },
      labels: {
        ...chartLabels('ipam', 'ipam', release),
        'ipam.liqo.io/network-type': type,
        ...flag('ipam.liqo.io/network-not-remapped', pinned),
        ...flag('ipam.liqo.io/network-shared', shared && isShared),
      },
    },
    spec: { cidr, ...(first === 0 ? {} : { preAllocated: first }) },
  });
  const pods = ipam.podCIDRs?.length
    ? ipam.podCIDRs.map((it) => network(`pod-cidr-${dashed(it)}`, 'pod-cidr', it, { shared: true }))
    : [network('pod-cidr', 'pod-cidr', ipam.podCIDR ?? '', { shared: true })];
  const reserved = (ipam.reservedSubnets ?? []).map((it, i) =>
    network(isShared ? `reserved-${dashed(it)}` : `reserved-${i + 1}`, 'reserved', it, { shared: true }),
  );
  // Since 1.2 a value that is set is used or fails; before, both could always be moved.
  const isPinned = (value: string | undefined): boolean => isShared && value !== undefined;
  return [
    ...sorted(pods),
    network('service-cidr', 'service-cidr', ipam.serviceCIDR, { shared: true }),
    ...(isShared ? sorted(reserved) : reserved),
    network('external-cidr', 'external-cidr', ipam.externalCIDR ?? '10.70.0.0/16', {
      pinned: isPinned(ipam.externalCIDR),
      first: 1,
    }),
    network('internal-cidr', 'internal-cidr', ipam.internalCIDR ?? '10.80.0.0/16', {
      pinned: isPinned(ipam.internalCIDR),
    }),
  ];
}

const flag = (name: string, isSet: boolean): Texts => (isSet ? { [name]: 'true' } : {});

/** A network as Liqo writes it into names. */
export const dashed = (cidr: string): string => cidr.replace(/[./:]/g, '-');

const sorted = (networks: readonly SimulatedObject[]): readonly SimulatedObject[] =>
  [...networks].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
