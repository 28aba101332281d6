import { dashed } from '../chart/own-networks.ts';
import { firstAddressOf } from '../cidr.ts';
import { type Fields, field, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { address } from './firewall-tables.ts';

/**
 * The rules of the nodes: pods keep their address, everything else gets the first address of the external network.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go.
 */
export function bypassRules({ release, values }: SimulatedCluster, configuration: SimulatedObject): readonly Fields[] {
  const { name } = configuration.metadata;
  const list = (...path: readonly string[]): readonly string[] =>
    field<readonly string[]>(configuration, ...path) ?? [];
  const [own, seen] = [list('spec', 'local', 'cidr', 'pod'), list('status', 'remote', 'cidr', 'pod')];
  const [external = ''] = list('status', 'remote', 'cidr', 'external').slice(0, 1);
  const [ownExternal = ''] = list('spec', 'local', 'cidr', 'external');
  const unknown = firstAddressOf(ownExternal);
  const isFull = values.networking?.fabric?.config?.fullMasquerade ?? false;
  const suffix = (...cidrs: readonly string[]): string =>
    release === '1.2' ? cidrs.map((it) => `-${dashed(it)}`).join('') : '';
  const keeping = (view: string, local: string, ruleName: string): Fields => ({
    name: ruleName,
    natType: 'snat',
    to: local,
    match: [address('dst', view), address('src', local)],
  });
  const disguising = (view: string, ruleName: string): Fields => ({
    name: ruleName,
    natType: 'snat',
    to: unknown,
    match: [address('dst', view), ...(isFull ? [] : own.map((it) => address('src', it, 'neq')))],
  });
  const disguisingPods = seen.map((view) => disguising(view, `service-nodeport-${name}${suffix(view)}`));
  const disguisingExternal = disguising(external, `service-nodeport-${name}-ext`);
  if (isFull) return [...disguisingPods, disguisingExternal];
  return [
    ...own.flatMap((local) => seen.map((view) => keeping(view, local, `podcidr-${name}${suffix(local, view)}`))),
    ...disguisingPods,
    ...own.map((local) => keeping(external, local, `podcidr-${name}-ext${suffix(local)}`)),
    disguisingExternal,
  ];
}
