import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { GENEVE_PORT, PING_PORT } from '../../releases/ports.ts';
import type { ModelRule } from '../resolved-links.ts';

/** UDP ports on which other parts of a gateway pod listen. */
const TAKEN: ReadonlyMap<number, string> = new Map([
  [GENEVE_PORT, 'the overlay between nodes and gateways'],
  [PING_PORT, 'the ping of the tunnel'],
]);

/** WireGuard listens on a UDP port that nothing else in the pod of its gateway uses. */
export const tunnelsListenOnAFreePort: ModelRule = function* ({ model }) {
  const reported = new Set<string>();
  for (const { server, client, endpoint } of model.links) {
    const { name, gateway } = server.cluster;
    const port = gateway.listenPort ?? endpoint.servicePort;
    const use = TAKEN.get(port);
    if (use === undefined || reported.has(name)) continue;
    reported.add(name);
    const message = `the gateway of "${name}" for "${client.cluster.name}" would listen on UDP port ${port}, which ${use} uses in the same pod`;
    yield diagnostic('link/listen-port-taken', gateway.ports.at, message, {
      hint:
        gateway.listenPort === null
          ? 'choose other `gateway.ports`, or set `gateway.listenPort` to another port'
          : 'set `gateway.listenPort` to another port',
    });
  }
};
