import { bug } from '../../base/diagnostics/outcome.ts';
import { type AddressedModel, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { routesStep, translationsStep } from './addresses.ts';
import { endToEndStep, packetsStep, reachabilityStep } from './packets.ts';
import { type LinkEnd, linkEnd, type Runbook } from './runbook.ts';
import { mtuStep, objectsStep, podsStep, tunnelStep, wireguardStep } from './tunnel.ts';

/** Returns the checks for a link that loses packets, from the outside in: the first difference is the cause. */
export function makeRunbook(model: AddressedModel, link: Link): Runbook {
  const endOf = (name: string, far: string): LinkEnd => {
    const cluster = clusterNamed(model, name);
    return linkEnd(cluster, cluster.peers.get(far) ?? bug(`"${name}" has no peer "${far}"`));
  };
  const [serverName, clientName] = [link.server.cluster.name, link.client.cluster.name];
  const [server, client] = [endOf(serverName, clientName), endOf(clientName, serverName)];
  const ends = [client, server] as const;
  return {
    server: serverName,
    client: clientName,
    steps: [
      objectsStep(ends),
      podsStep(ends),
      wireguardStep(ends),
      reachabilityStep(server, client),
      tunnelStep(ends),
      mtuStep(server, client),
      packetsStep(ends),
      translationsStep(ends),
      routesStep(ends),
      endToEndStep(ends),
    ],
  };
}
