import { field, NETWORKING, type SimulatedObject } from '../objects.ts';
import { type Controller, itself } from './controller.ts';
import { ensure } from './ensure.ts';
import { address, chain, table } from './firewall-tables.ts';

const FINALIZERS = ['ip.ipam.liqo.io/finalizer', 'ipmapping-nat-controller.liqo.io/finalizer'];

/**
 * An address of the external network for every IP, and the rules of all gateways for it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/remapping/ip.go, the IP controller.
 */
export const ips: Controller = {
  name: 'ip',
  watches: { IP: itself },
  reconcile({ server, ipam, namespace: liqo }, namespace, name) {
    const ip = server.get('IP', name, namespace);
    if (ip === undefined) return true;
    const rules = `${name}-remap-ipmapping-gw`;
    if (ip.metadata.deletionTimestamp !== undefined) {
      if (ip.status !== undefined) ipam.releaseAddress(String(ip.status['cidr']), String(ip.status['ip']));
      const found = server.get('FirewallConfiguration', rules, namespace);
      if (found !== undefined) server.remove(found);
      server.update(ip, (it) => {
        it.metadata.finalizers = [];
      });
      return true;
    }
    if (ip.metadata.finalizers === undefined) {
      const labels = { 'ipam.liqo.io/network-name': 'external-cidr', 'ipam.liqo.io/network-namespace': liqo };
      server.update(ip, (it) => {
        it.metadata.finalizers = FINALIZERS;
        it.metadata.labels = { ...it.metadata.labels, ...labels };
      });
      return true;
    }
    if (ip.status === undefined) {
      const cidr = field<string>(server.get('Network', 'external-cidr', liqo), 'status', 'cidr');
      const given = cidr && ipam.acquireAddress(cidr);
      if (given === undefined) return false;
      server.update(ip, (it) => {
        it.status = { ip: given, cidr };
      });
      return true;
    }
    ensure(server, mapping(ip, rules));
    return true;
  },
};

function mapping({ metadata, spec, status }: SimulatedObject, name: string): SimulatedObject {
  const [real, given] = [String(spec?.['ip']), String(status?.['ip'])];
  const { namespace = '' } = metadata;
  const rule = (natType: string, position: 'src' | 'dst') => ({
    name: metadata.name,
    natType,
    to: real,
    match: [address(position, given)],
  });
  return {
    apiVersion: NETWORKING,
    kind: 'FirewallConfiguration',
    metadata: {
      name,
      namespace,
      labels: {
        'networking.liqo.io/firewall-category': 'gateway',
        'networking.liqo.io/firewall-subcategory': 'ip-mapping',
      },
    },
    spec: table(`${name}-${namespace}`, [
      chain('prerouting', 'nat prerouting', [rule('dnat', 'dst')]),
      chain('postrouting', 'nat postrouting', [rule('snat', 'src')]),
    ]),
  };
}
