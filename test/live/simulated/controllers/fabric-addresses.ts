import type { ApiServer } from '../api-server.ts';
import { parseCidr, printAddress } from '../cidr.ts';
import { field } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';

/** The next free address of the internal network, without its first one. */
export function fabricAddress({ server, namespace }: SimulatedCluster): string | undefined {
  const cidr = parseCidr(field<string>(server.get('Network', 'internal-cidr', namespace), 'status', 'cidr') ?? '');
  if (cidr === undefined) return undefined;
  const used = new Set([
    ...server.list('InternalNode').map((it) => field(it, 'spec', 'interface', 'node', 'ip')),
    ...server.list('InternalFabric').map((it) => field(it, 'spec', 'interface', 'gateway', 'ip')),
  ]);
  let address = cidr.base + 1;
  while (used.has(printAddress(address))) address++;
  return printAddress(address);
}

/** A name for an interface that no other has. */
export const interfaceName = (server: ApiServer): string => `liqo.${server.chance(10)}`;
