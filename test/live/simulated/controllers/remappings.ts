import type { ApiServer } from '../api-server.ts';
import { firstAddressOf } from '../cidr.ts';
import { type Fields, field, IPAM_API, NETWORKING, ownedBy, REMOTE, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { type Controller, itself } from './controller.ts';
import { ensure } from './ensure.ts';
import { address, chain, device, table } from './firewall-tables.ts';
import { bypassRules } from './masquerade-bypass.ts';

/**
 * The objects that follow from a ready Configuration: the rules of gateways and nodes, and an address for what comes
 * from elsewhere. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping,
 * internal-network/configuration-controller.
 */
export const remappings: Controller = {
  name: 'remapping',
  watches: { Configuration: itself },
  reconcile(cluster, namespace, name) {
    const { server } = cluster;
    const configuration = server.get('Configuration', name, namespace);
    if (configuration === undefined || !cluster.isReady(configuration)) return true;
    const remote = configuration.metadata.labels?.[REMOTE] ?? '';
    const gateway = { category: 'gateway', unique: remote };
    const firewall = (what: string, labels: Readonly<Record<string, string>>, spec: Fields): void => {
      ensure(server, {
        apiVersion: NETWORKING,
        kind: 'FirewallConfiguration',
        metadata: {
          name: `${name}-${what}`,
          namespace,
          labels: Object.fromEntries(
            Object.entries(labels).map(([key, it]) => [`networking.liqo.io/firewall-${key}`, it]),
          ),
          ownerReferences: [ownedBy(configuration)],
        },
        spec,
      });
    };
    firewall('remap-podcidr', gateway, remapTable(cluster, configuration, 'pod'));
    firewall('remap-externalcidr', gateway, remapTable(cluster, configuration, 'external'));
    const nodes = { category: 'fabric', subcategory: 'all-nodes' };
    const bypass = chain('pre-postrouting', 'nat postrouting early', bypassRules(cluster, configuration));
    firewall('masquerade-bypass', nodes, table(`${name}-masquerade-bypass`, [bypass]));
    unknownSource(server, configuration);
    return true;
  },
};

function remapTable(cluster: SimulatedCluster, configuration: SimulatedObject, type: 'pod' | 'external'): Fields {
  const real = field<readonly string[]>(configuration, 'spec', 'remote', 'cidr', type) ?? [];
  const seen = field<readonly string[]>(configuration, 'status', 'remote', 'cidr', type) ?? [];
  // Before 1.2 there is one rule for the first network, even if it does nothing.
  const pairs = seen
    .map((it, i) => [it, real[i] ?? ''] as const)
    .filter(([view, own], i) => (cluster.release === '1.2' ? view !== own : i === 0));
  const outgoing = pairs.map(([view, own]) => ({
    name: cluster.server.uuid(),
    natType: 'dnat',
    to: own,
    match: [address('dst', view), device('in', 'eth0', 'neq'), device('in', 'liqo-tunnel', 'neq')],
  }));
  const incoming = pairs.map(([view, own]) => ({
    name: cluster.server.uuid(),
    natType: 'snat',
    to: view,
    match: [device('out', 'eth0', 'neq'), address('src', own), device('in', 'liqo-tunnel')],
  }));
  return table(`remap-${type}cidr`, [
    chain('outgoing', 'nat prerouting', outgoing),
    chain('incoming', 'nat postrouting', incoming),
  ]);
}

/** The label carries the name of the Configuration, as Liqo writes it. */
function unknownSource(server: ApiServer, configuration: SimulatedObject): void {
  const { name, namespace = '' } = configuration.metadata;
  const [external] = field<readonly string[]>(configuration, 'status', 'remote', 'cidr', 'external') ?? [];
  if (external === undefined) return;
  const ip = firstAddressOf(external);
  const found = server.get('IP', `${name}-unknown-source`, namespace);
  if (found !== undefined) {
    if (found.spec?.['ip'] !== ip) server.remove(found);
    return;
  }
  server.create({
    apiVersion: IPAM_API,
    kind: 'IP',
    metadata: {
      name: `${name}-unknown-source`,
      namespace,
      labels: { [REMOTE]: name },
      ownerReferences: [ownedBy(configuration)],
    },
    spec: { ip },
  });
}
