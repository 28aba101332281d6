import { bug } from '../../base/diagnostics/bug.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { endToEndStep } from './end-to-end-step.ts';
import { type LinkEnd, linkEnd } from './link-end.ts';
import { objectsStep } from './objects-step.ts';
import { packetsStep } from './packets-step.ts';
import { podsStep } from './pods-step.ts';
import { reachabilityStep } from './reachability-step.ts';
import { routesStep } from './routes-step.ts';
import type { Runbook } from './runbook.ts';
import { translationsStep } from './translations-step.ts';
import { mtuStep, tunnelStep } from './tunnel-step.ts';
import { wireguardStep } from './wireguard-step.ts';

/** What to look at for a link when packets are lost: from the outside in, so that the first difference is the reason. */
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
